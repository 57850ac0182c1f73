import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Picture } from "../picture/picture.js"
import type { DrawOptions } from "./read-picture.js"
import { readPicture } from "./read-picture.js"

/**
 * Returns the drawing of a chart as JSON, with nested states and labeled arrows. Use it to draw
 * charts in your own format.
 *
 * @example
 * const { root, tools } = drawPicture(chart)
 */
export const drawPicture = (chart: AgentChart, { detail = "tools" }: DrawOptions = {}): Picture =>
  readPicture(chart, detail, true)
