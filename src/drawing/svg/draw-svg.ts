import { checkChart } from "../../machines/contract/check-chart.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawOptions } from "../chart/read-picture.js"
import { everything, foldPicture, readable } from "../picture/fold-picture.js"
import { readPicture } from "../chart/read-picture.js"
import { attachTools } from "../picture/attach-tools.js"
import type { DrawingDirection } from "../picture/picture.js"
import type { Theme } from "./colors.js"
import { layOutGraph } from "../layout/layout-engine.js"
import { layOut } from "../layout/lay-out.js"
import { paintSvg } from "./paint-svg.js"

export interface SvgOptions extends DrawOptions {
  /**
   * Color theme. With `auto` (default), the SVG contains light and dark colors, and the color
   * preference of the viewer selects between them.
   */
  readonly theme?: Theme
  /**
   * Whether to draw the whole chart regardless of its size. Default: false. Then containers that
   * are too wide or too deep are folded and show only the number of their agents.
   */
  readonly expand?: boolean
  /**
   * Ids of agents and states that are always drawn. Folded states that contain them are unfolded.
   * Default: none.
   */
  readonly open?: readonly string[]
  /** Direction in which consecutive agents of a sequence are drawn. Default: `down`. */
  readonly direction?: DrawingDirection
  /** Called repeatedly while the drawing is computed, with the completed fraction from 0 to 1. */
  readonly onProgress?: (done: number) => void
  /**
   * Whether to add a legend below the drawing that explains its shapes and colors. Default: false.
   */
  readonly legend?: boolean
}

/**
 * Returns a chart as a self-contained SVG file without scripts, fonts or external styles. The same
 * chart always results in the same text. For sequences, loops and teams, the layout needs no other
 * package. For graphs, the optional package `elkjs` computes the layout.
 *
 * @throws AgentStatechartsError `drawing_package_missing` if the layout needs `elkjs` and it is not
 * installed
 * @example
 * const { chart } = compile(source)
 * if (chart !== null) await writeFile("workflow.svg", await drawSvg(chart))
 */
export async function drawSvg(
  chart: AgentChart,
  {
    detail = "tools",
    theme = "auto",
    expand = false,
    open = [],
    direction = "down",
    legend = false,
    onProgress,
  }: SvgOptions = {},
): Promise<string> {
  checkChart(chart, "drawSvg")
  const picture = readPicture(chart, detail, true)
  const placed = await layOut(
    attachTools(foldPicture(picture, expand ? everything : readable, new Set(open))),
    layOutGraph,
    direction,
    onProgress,
  )
  return paintSvg(placed, { name: `Statechart of ${chart.id}`, theme, hasLegend: legend })
}
