import { measures } from "./measures.js"
import type { PlacedArrow, Point } from "./geometry.js"
import { facts, px, svgLines, tooltip } from "./svg-text.js"

const radius = 6

/**
 * Returns an arrow as SVG elements. The line and the label are separate, so that labels can be
 * drawn on top.
 */
export function paintArrow({ from, to, points, label, both }: PlacedArrow): {
  readonly wire: string
  readonly label: readonly string[]
} {
  const wire = `<path class="wire"${facts({ from, to })} marker-end="url(#head)"${both ? ' marker-start="url(#tail)"' : ""} d="${pathOf(points)}"/>`
  if (label === null) return { wire, label: [] }
  const { x, y, text } = label
  const lines = svgLines(text.lines, { x: x + 4, y: y + 1, ...measures.label, name: "label" })
  return {
    wire,
    label: text.whole === null ? lines : ["<g>", tooltip(text.whole), ...lines, "</g>"],
  }
}

/**
 * Returns the path data of a polyline with rounded corners. Short segments have a smaller corner
 * radius.
 */
function pathOf(points: readonly Point[]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (before === undefined) return `M${px(point.x)} ${px(point.y)}`
    if (after === undefined) return `L${px(point.x)} ${px(point.y)}`
    const [into, out] = [towards(point, before), towards(point, after)]
    return `L${px(into.x)} ${px(into.y)}Q${px(point.x)} ${px(point.y)} ${px(out.x)} ${px(out.y)}`
  })
  return parts.join("")
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const share = length === 0 ? 0 : Math.min(radius, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
