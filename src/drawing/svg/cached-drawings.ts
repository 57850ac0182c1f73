import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { SvgOptions } from "./draw-svg.js"

/** A function that draws a chart and resolves to the text of an SVG file. */
export type DrawChart = (chart: AgentChart, options?: SvgOptions) => Promise<string>

/**
 * Draws a chart as SVG. Loads the drawing code when the first chart is drawn, so that servers start
 * faster.
 */
const draw: DrawChart = async (chart, options) =>
  (await import("./draw-svg.js")).drawSvg(chart, options)

/** Maximum number of drawings that are cached. */
const maxDrawings = 30

/**
 * Returns a function that draws charts as SVG and caches the drawings. If the cache is full, the
 * least recently used drawing is removed.
 */
export function cachedDrawings(): DrawChart {
  const cache = new Map<string, Promise<string>>()
  return (chart, options = {}) => {
    const key = JSON.stringify([chart.fingerprint, options])
    const drawing = cache.get(key) ?? draw(chart, options)
    cache.delete(key)
    cache.set(key, drawing)
    const [oldest] = cache.keys()
    if (cache.size > maxDrawings && oldest !== undefined) cache.delete(oldest)
    return drawing
  }
}
