import type { Plugin } from "rolldown"

export function bundleProgram(
  program: string,
  options?: {
    readonly plugins?: readonly Plugin[]
    readonly external?: readonly (string | RegExp)[]
  },
): Promise<{ readonly start: string; remove(): void }>
