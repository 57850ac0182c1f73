import type { Plugin } from "rolldown"

export function bundleProgram(
  program: string,
  options?: { readonly plugins?: readonly Plugin[]; readonly unused?: readonly RegExp[] },
): Promise<{ readonly start: string; remove(): void }>
