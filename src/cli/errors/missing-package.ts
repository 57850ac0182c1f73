import { UsageProblem } from "./usage-problem.js"

/**
 * Returns an error handler for the dynamic import of an optional package. If the package is not
 * installed, the handler throws an error with the install command. It rethrows other errors.
 */
export const orInstall =
  (needs: string, name: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND")
      throw error
    throw new UsageProblem(`${needs}. Install it with: npm install ${name}`)
  }
