import type { ConfigLocation } from "../../diagnostics/config-location.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ConfigFolder, OpenedFile } from "./config-folder.js"
import { leavesFolder, pathFrom } from "./file-path.js"

type RefusedFile = Exclude<OpenedFile, { readonly text: string }>

const fileOf = (folder: ConfigFolder, location: ConfigLocation): string =>
  location.document.file ?? folder.root

/**
 * Returns the path of a file that a config refers to, relative to the folder. If the path is
 * invalid or leads out of the folder, reports an error and returns null.
 */
export function referencedPath(
  folder: ConfigFolder,
  written: string,
  location: ConfigLocation,
  example: string,
): string | null {
  const path = pathFrom(fileOf(folder, location), written)
  if (path === null)
    return report(location, {
      code: "bad_value",
      problem: `is ${describeValue(written)}, which is not a file path`,
      fix: `Write a relative path with slashes, such as "${example}".`,
    })
  return leavesFolder(path) && folder.mayBeLeft !== true ? outsideFolder(written, location) : path
}

/** Reports an error for a referenced file that cannot be opened. Returns null. */
export function reportUnopened(
  folder: ConfigFolder,
  written: string,
  path: string,
  opened: RefusedFile,
  location: ConfigLocation,
): null {
  if (opened.refused === "outside") return outsideFolder(written, location)
  const [code, problem] = whyNot(opened)
  return report(location, {
    code,
    problem: `refers to the file ${describeValue(written)}, which ${problem}`,
    fix: `Write the path relative to ${fileOf(folder, location)}, or add the file ${path}.`,
  })
}

/**
 * Returns the diagnostic code for a file that cannot be opened, and the problem as the end of a
 * sentence, such as `does not exist`.
 */
export function whyNot({
  refused,
  problem,
}: RefusedFile): readonly ["missing_file" | "path_outside" | "unreadable_file", string] {
  if (refused === "missing") return ["missing_file", "does not exist"]
  return refused === "outside"
    ? ["path_outside", "is a link that leads out of the folder"]
    : ["unreadable_file", problem ?? "cannot be read"]
}

/** Reports an error for a path that leads out of the folder. Returns null. */
const outsideFolder = (written: string, location: ConfigLocation): null =>
  report(location, {
    code: "path_outside",
    problem: `is ${describeValue(written)}, which is outside the folder of the config and is not opened`,
    fix: "Move the file into the folder and write its path relative to this file, or allow files outside the folder with the option allowOutside (--allow-outside on the command line).",
  })
