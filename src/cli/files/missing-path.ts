import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { thisPackage } from "../../adapters/package-folder.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { shellWord } from "../terminal/untrusted-text.js"

/** Throws a usage error if a file or folder does not exist. */
export function requirePath(place: string): void {
  if (!existsSync(place))
    throw new UsageProblem(
      `the file or folder ${place} does not exist. ${fixForMissingPath(place)}`,
    )
}

/**
 * Returns a suggested fix for a path that does not exist. If the path is one of the examples in the
 * documentation, suggests how to get the examples, because a new project does not contain them.
 */
export function fixForMissingPath(path: string): string {
  const examples = join(thisPackage().folder, "examples")
  const isExample = /^(\.[\\/])?examples([\\/]|$)/.test(path) && !existsSync("examples")
  return isExample && existsSync(examples)
    ? `The examples are part of the package. Copy them: cp -R ${shellWord(relative("", examples))} .`
    : "Check the path."
}
