import { statSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { UsageProblem } from "../errors/usage-problem.js"

/** File formats that the option `draw --format` accepts. */
export const drawingFormats = ["svg", "png", "mermaid", "json", "xstate", "scxml"] as const

export type DrawingFormat = (typeof drawingFormats)[number]

const byEnding: Readonly<Record<string, DrawingFormat>> = {
  ".svg": "svg",
  ".png": "png",
  ".json": "json",
  ".ts": "xstate",
  ".scxml": "scxml",
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".md": "mermaid",
  ".txt": "mermaid",
  "": "mermaid",
}

/**
 * Returns the drawing format for the extension of a file, for example `svg` for `a.svg`. Returns
 * `mermaid` for stdout and for a file without an extension. Throws a usage error if the extension
 * is unknown.
 */
export function formatOf(file: string | undefined): DrawingFormat {
  const ending = file === undefined ? "" : extname(file).toLowerCase()
  const format = byEnding[ending]
  if (format === undefined)
    throw new UsageProblem(
      `there is no drawing format for the file ${file}. Use one of the extensions ${Object.keys(byEnding).filter(Boolean).join(", ")}, or choose a format with --format.`,
    )
  return format
}

/**
 * File name endings of the drawings that `draw` writes next to a workflow. They differ from the
 * endings of workflow configs, so that no config is overwritten.
 */
const endings: Readonly<Record<DrawingFormat, string>> = {
  svg: ".svg",
  png: ".png",
  mermaid: ".mmd",
  json: ".picture.json",
  xstate: ".machine.ts",
  scxml: ".scxml",
}

/**
 * Returns the path for the drawing of a workflow, which is next to the workflow file. If the
 * workflow is a folder, the drawing is in the folder. If the workflow comes from stdin, the drawing
 * is in the current folder.
 */
export function fileNextTo(workflow: string, format: DrawingFormat): string {
  if (workflow === "-") return `workflow${endings[format]}`
  if (statSync(workflow, { throwIfNoEntry: false })?.isDirectory() === true)
    return join(workflow, `root_agent${endings[format]}`)
  return join(dirname(workflow), basename(workflow, extname(workflow)) + endings[format])
}
