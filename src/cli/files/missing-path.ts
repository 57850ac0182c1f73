import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { thisPackage } from "../../adapters/package-folder.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { shellWord } from "../terminal/untrusted-text.js"

/** Throws a usage error with a suggested fix if a file or folder does not exist. */
export function requirePath(path: string): void {
  if (!existsSync(path))
    throw new UsageProblem(`the file or folder ${path} does not exist. ${fixForMissingPath(path)}`)
}

/**
 * Returns a suggestion for the error message about a path that does not exist. For the example
 * paths of the documentation, explains how to copy the examples. A new project does not contain
 * them.
 */
export function fixForMissingPath(path: string): string {
  const examples = join(thisPackage().folder, "examples")
  const isExample = /^(\.[\\/])?examples([\\/]|$)/.test(path) && !existsSync("examples")
  return isExample && existsSync(examples)
    ? `The examples are part of the package. Copy them: cp -R ${shellWord(relative("", examples))} .`
    : "Check the path."
}
