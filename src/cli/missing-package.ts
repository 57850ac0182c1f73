import { UsageProblem } from "./usage-problem.js"

/** For a `catch`: a package that is not installed is told with the cure, everything else as it is. */
export const orInstall =
  (needs: string, name: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND")
      throw error
    throw new UsageProblem(`${needs}; run npm install ${name}.`)
  }
