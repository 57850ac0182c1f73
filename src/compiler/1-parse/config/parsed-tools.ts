import type { builtInExitLoop } from "../../../machines/model-call/built-in-tools.js"
import type { ReadFrom } from "./read-from.js"

export interface ParsedExitLoopTool extends ReadFrom {
  readonly type: "ExitLoopTool"
  readonly id: typeof builtInExitLoop
}

export interface ParsedUnknownTool extends ReadFrom {
  readonly type: null
  readonly id: string | null
}

/**
 * The built-in tool `preload_memory`, which adds memories from earlier sessions before each turn.
 * The tool is not offered to the model.
 */
export interface ParsedPreloadMemoryTool extends ReadFrom {
  readonly type: "PreloadMemoryTool"
  readonly id: string
}
