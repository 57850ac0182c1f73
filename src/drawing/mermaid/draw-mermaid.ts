import { checkChart } from "../../machines/contract/check-chart.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawingDirection } from "../picture/picture.js"
import { printMermaid } from "./print-mermaid.js"
import type { DrawOptions } from "../chart/read-picture.js"
import { readPicture } from "../chart/read-picture.js"

export interface MermaidOptions extends DrawOptions {
  /** Direction in which consecutive agents of a sequence are drawn. Default: `down`. */
  readonly direction?: DrawingDirection
}

/**
 * Returns a chart as a Mermaid `stateDiagram-v2`. Agents are drawn as states. Sequences, loops and
 * teams are drawn as composite states, and parallel branches as regions. AgentTools are drawn next
 * to the workflow. The same chart always has the same text.
 *
 * @example
 * const { chart } = compile(source)
 * if (chart !== null) await writeFile("workflow.mmd", drawMermaid(chart))
 */
export function drawMermaid(
  chart: AgentChart,
  { detail = "tools", direction = "down" }: MermaidOptions = {},
): string {
  checkChart(chart, "drawMermaid")
  return printMermaid(readPicture(chart, detail), direction)
}
