import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { printMermaid } from "./print-mermaid.js"
import type { DrawOptions } from "../chart/read-picture.js"
import { readPicture } from "../chart/read-picture.js"

/**
 * Draws a chart as a Mermaid `stateDiagram-v2`: agents as states, sequences, loops and teams as composite states, parallel
 * blocks as regions, agent tools beside. The same chart gives the same text; an edited chart is drawn as it was edited.
 *
 * @example
 * const { chart } = compile(source)
 * if (chart !== null) await writeFile("workflow.mmd", drawMermaid(chart))
 */
export function drawMermaid(chart: AgentChart, { detail = "ways" }: DrawOptions = {}): string {
  return printMermaid(readPicture(chart, detail === "all"))
}
