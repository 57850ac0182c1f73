import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { drawSvg } from "./draw-svg.js"

/** Draws a chart as SVG. */
export type DrawChart = (chart: AgentChart) => Promise<string>

/** Maximum number of drawings in the cache. */
const maxDrawings = 30

/** Returns a function that draws charts and caches the drawings, least recently used first out. */
export function cachedDrawings(): DrawChart {
  const cache = new Map<string, Promise<string>>()
  return (chart) => {
    const drawing = cache.get(chart.fingerprint) ?? drawSvg(chart)
    cache.delete(chart.fingerprint)
    cache.set(chart.fingerprint, drawing)
    const [oldest] = cache.keys()
    if (cache.size > maxDrawings && oldest !== undefined) cache.delete(oldest)
    return drawing
  }
}
