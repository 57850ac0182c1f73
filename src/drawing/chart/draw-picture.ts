import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Picture } from "../picture/picture.js"
import type { DrawOptions } from "./read-picture.js"
import { readPicture } from "./read-picture.js"

/**
 * What a drawing of a chart shows, as JSON: states within states, and the arrows among them. For drawings of your own.
 *
 * @example
 * const { root, tools } = drawPicture(chart)
 */
export const drawPicture = (chart: AgentChart, { detail = "ways" }: DrawOptions = {}): Picture =>
  readPicture(chart, detail === "all", true)
