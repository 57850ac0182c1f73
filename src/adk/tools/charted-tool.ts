import { refuse } from "../common/refuse.js"
import { BaseTool } from "./base-tool.js"

/**
 * Base class of tools that the statechart of a run executes itself, such as `ExitLoopTool`. Their
 * method `runAsync` is never called.
 */
export abstract class ChartedTool extends BaseTool {
  override async runAsync(): Promise<never> {
    return refuse(
      `The tool "${this.name}" cannot be called from code: the chart executes it.`,
      "Add it to the tools of an agent.",
    )
  }
}
