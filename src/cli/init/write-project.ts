import { lstatSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { errorCode } from "../errors/error-code.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeTo } from "../files/write-result.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { ProjectFiles } from "./project-files.js"

/**
 * Writes the files of a new project to a folder. If one of these files exists and `force` is false,
 * throws a usage error that lists the existing files. Does not change other files in the folder.
 */
export async function writeProject(
  folder: string,
  files: ProjectFiles,
  force: boolean,
): Promise<void> {
  const existing = [...files.keys()].filter((path) => isOccupied(join(folder, path)))
  if (existing.length > 0 && !force)
    throw new UsageProblem(
      `the folder ${oneLine(folder)} already contains ${existing.join(", ")}. Choose another folder, or overwrite these files with --force.`,
    )
  for (const [path, text] of files) await writeTo(join(folder, path), text)
}

/** Returns whether a path exists, or cannot be created because one of its parents is a file. */
function isOccupied(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return true
    throw new UsageProblem(
      `${oneLine(path)} cannot be read (${errorCode(error)}). Check the path and its permissions.`,
    )
  }
}

/**
 * Derives a valid package name from the name of a folder. Converts the name to lower case and
 * replaces invalid characters with `-`.
 */
export function packageNameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 100)
  return name === "" || name === "node_modules" ? "my-agents" : name
}
