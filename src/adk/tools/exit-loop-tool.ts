import { builtInExitLoop } from "../../machines/model-call/built-in-tools.js"
import { describe } from "../description/program-builder.js"
import { ChartedTool } from "./charted-tool.js"

/** Tool that lets a model end the enclosing loop. */
export class ExitLoopTool extends ChartedTool {
  constructor() {
    super({ name: "exit_loop", description: "Ends the loop. Call it only when you are told to." })
  }

  override [describe](): unknown {
    return builtInExitLoop
  }
}

export const EXIT_LOOP = new ExitLoopTool()
