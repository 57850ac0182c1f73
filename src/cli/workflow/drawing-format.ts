import { extname } from "node:path"

/** The formats that `draw --format` accepts. */
export const drawingFormats = ["svg", "png", "mermaid", "json", "xstate", "scxml"] as const

export type DrawingFormat = (typeof drawingFormats)[number]

const byEnding: Readonly<Record<string, DrawingFormat>> = {
  ".svg": "svg",
  ".png": "png",
  ".json": "json",
  ".ts": "xstate",
  ".scxml": "scxml",
}

/** Returns the format that the file extension selects. The default, also for stdout, is Mermaid. */
export const formatOf = (file: string | undefined): DrawingFormat =>
  byEnding[file === undefined ? "" : extname(file).toLowerCase()] ?? "mermaid"
