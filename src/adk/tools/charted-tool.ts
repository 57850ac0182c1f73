import { refuse } from "../refuse.js"
import { BaseTool } from "./base-tool.js"

/** A tool that the chart itself carries out, so that no code of it is ever called. */
export abstract class ChartedTool extends BaseTool {
  override async runAsync(): Promise<never> {
    return refuse(
      `The tool "${this.name}" is carried out by the chart.`,
      "Give it to an agent; it cannot be called from code.",
    )
  }
}
