import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawOptions } from "../chart/read-picture.js"
import { everything, foldPicture, readable } from "../picture/fold-picture.js"
import { readPicture } from "../chart/read-picture.js"
import type { Theme } from "./colours.js"
import { loadEngine } from "./layout-engine.js"
import { layOut } from "./lay-out.js"
import { paintSvg } from "./paint-svg.js"

export interface SvgOptions extends DrawOptions {
  /** `auto` (default) contains both color sets and follows the reader's preference. */
  readonly theme?: Theme
  /**
   * Draws the whole chart, however large it becomes. By default, containers that are too wide or
   * too deep are folded and show the number of their agents.
   */
  readonly expand?: boolean
}

/**
 * Draws a chart as one SVG file without scripts, fonts or external styles. The same chart always
 * gives the same text. The first call loads the optional package `elkjs`, which computes the
 * layout.
 *
 * @throws AgentStatechartsError `drawing_package_missing`.
 * @example
 * const { chart } = compile(source)
 * if (chart !== null) await writeFile("workflow.svg", await drawSvg(chart))
 */
export async function drawSvg(
  chart: AgentChart,
  { detail = "ways", theme = "auto", expand = false }: SvgOptions = {},
): Promise<string> {
  const picture = readPicture(chart, detail === "all", true)
  const placed = await layOut(
    foldPicture(picture, expand ? everything : readable),
    await loadEngine(),
  )
  return paintSvg(placed, { name: `Statechart of ${chart.id}`, theme })
}
