import { UsageProblem } from "./usage-problem.js"

/**
 * Handles a rejected import: if the package is not installed, reports how to install it. Rethrows
 * other errors.
 */
export const orInstall =
  (needs: string, name: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND")
      throw error
    throw new UsageProblem(`${needs}. Install it with: npm install ${name}`)
  }
