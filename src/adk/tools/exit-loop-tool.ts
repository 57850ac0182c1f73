import { builtInExitLoop } from "../../machines/model-call/built-in-tools.js"
import { describe } from "../description/program-builder.js"
import { ChartedTool } from "./charted-tool.js"

/** A tool with which a model ends the loop that contains its agent. */
export class ExitLoopTool extends ChartedTool {
  constructor() {
    super({ name: "exit_loop", description: "Ends the loop. Call it only when you are told to." })
  }

  override [describe](): unknown {
    return builtInExitLoop
  }
}

export const EXIT_LOOP = new ExitLoopTool()
