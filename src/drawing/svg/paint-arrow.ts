import { measures } from "../layout/measures.js"
import type { PlacedArrow, Point } from "../layout/geometry.js"
import { facts, px, svgLines, tooltip } from "./svg-text.js"

const radius = 6

/** Length of an arrowhead and half of its width, in pixels. */
const head = { length: 8, half: 3.5 }

/**
 * Returns the SVG elements of an arrow. `wire` contains the line and, directly after it, its heads,
 * so that a CSS rule for the line can also select the heads. `label` is separate, so that labels
 * can be drawn on top of all lines.
 */
export function paintArrow({ from, to, points, label, both, kind }: PlacedArrow): {
  readonly wire: readonly string[]
  readonly label: readonly string[]
} {
  const ends = both ? [points.toReversed(), points] : [points]
  const line = shortened(both ? shortened(points.toReversed()).toReversed() : points)
  const name = kind === null ? "wire" : `wire of-${kind}`
  const wire = [
    `<path class="${name}"${facts({ from, to, both: both ? "true" : null })} d="${pathOf(line)}"/>`,
    `<path class="head" d="${ends.map(headOf).join("")}"/>`,
  ]
  if (label === null) return { wire, label: [] }
  const { x, y, text } = label
  const lines = svgLines(text.lines, { x: x + 4, y: y + 1, ...measures.label, name: "label" })
  return {
    wire,
    label: text.whole === null ? lines : ["<g>", tooltip(text.whole), ...lines, "</g>"],
  }
}

/** Returns the SVG path data of the arrowhead at the last of the given points. */
function headOf(points: readonly Point[]): string {
  const [before, tip] = points.slice(-2)
  if (before === undefined || tip === undefined) return ""
  const base = towards(tip, before, head.length)
  const length = Math.hypot(tip.x - base.x, tip.y - base.y) || 1
  const [dx, dy] = [
    ((tip.y - base.y) / length) * head.half,
    ((tip.x - base.x) / length) * head.half,
  ]
  return `M${px(tip.x)} ${px(tip.y)}L${px(base.x + dx)} ${px(base.y - dy)}L${px(base.x - dx)} ${px(base.y + dy)}z`
}

/**
 * Returns the points of a line whose last segment is shortened, so that the line ends inside its
 * arrowhead.
 */
function shortened(points: readonly Point[]): readonly Point[] {
  const [before, tip] = points.slice(-2)
  return before === undefined || tip === undefined
    ? points
    : [...points.slice(0, -1), towards(tip, before, head.length - 2)]
}

/**
 * Returns the SVG path data of a line through the given points, with rounded corners. Short
 * segments have a smaller corner radius.
 */
function pathOf(points: readonly Point[]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (before === undefined) return `M${px(point.x)} ${px(point.y)}`
    if (after === undefined) return `L${px(point.x)} ${px(point.y)}`
    const [into, out] = [before, after].map((end) =>
      towards(point, end, Math.min(radius, distance(point, end) / 2)),
    )
    return into === undefined || out === undefined
      ? ""
      : `L${px(into.x)} ${px(into.y)}Q${px(point.x)} ${px(point.y)} ${px(out.x)} ${px(out.y)}`
  })
  return parts.join("")
}

const distance = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y)

/**
 * Returns the point on the line from `from` to `to` at the distance `by` from `from`. The point is
 * never beyond `to`.
 */
function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to)
  const share = length === 0 ? 0 : Math.min(by, length) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
