import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawOptions } from "../chart/read-picture.js"
import { everything, foldPicture, readable } from "../picture/fold-picture.js"
import { readPicture } from "../chart/read-picture.js"
import type { Theme } from "./colours.js"
import { loadEngine } from "./layout-engine.js"
import { layOut } from "./lay-out.js"
import { paintSvg } from "./paint-svg.js"

export interface SvgOptions extends DrawOptions {
  /** `auto` (default) has both sets of colours in one file and follows the reader's preference. */
  readonly theme?: Theme
  /** Draws everything, however large it becomes. Otherwise what is too wide or too deep is closed and says how many agents it holds. */
  readonly expand?: boolean
}

/**
 * Draws a chart as one SVG file that needs no script, no font and no style from elsewhere. The same chart gives the same text.
 * It is laid out by `elkjs`, an optional package that is loaded by the first call.
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
