import { preloadMemoryService } from "../../machines/model-call/built-in-tools.js"
import { describe } from "../description/program-builder.js"
import { ChartedTool } from "./charted-tool.js"

/**
 * A tool that adds messages of the user's earlier sessions to the instructions before each turn.
 * The model does not see the tool. The messages come from the runner's `memoryService`.
 */
export class PreloadMemoryTool extends ChartedTool {
  constructor() {
    super({
      name: preloadMemoryService,
      description: "Loads the memory of the user's earlier conversations.",
    })
  }

  override [describe](): unknown {
    return preloadMemoryService
  }
}

export const PRELOAD_MEMORY = new PreloadMemoryTool()
