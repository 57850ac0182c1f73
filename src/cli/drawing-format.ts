import { extname } from "node:path"

export const drawingFormats = ["svg", "png", "mermaid", "json", "xstate", "scxml"] as const

export type DrawingFormat = (typeof drawingFormats)[number]

const byEnding: Readonly<Record<string, DrawingFormat>> = {
  ".svg": "svg",
  ".png": "png",
  ".json": "json",
  ".ts": "xstate",
  ".scxml": "scxml",
}

/** What a file's name asks for; Mermaid for any other, and for stdout. */
export const formatOf = (file: string | undefined): DrawingFormat =>
  byEnding[file === undefined ? "" : extname(file).toLowerCase()] ?? "mermaid"
