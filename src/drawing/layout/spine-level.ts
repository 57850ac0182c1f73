import { measures } from "./measures.js"
import type { PlacedArrow, PlacedLevel, PlacedMark, PlacedState, WrittenState } from "./geometry.js"
import type { Jump, Spine, SpineNode } from "./spine.js"
import type { SpineRow } from "./spine-lanes.js"
import { arrivalGap, labelGap, emptyRow, laneGap, placeLanes } from "./spine-lanes.js"

const { mark, layer } = measures

/**
 * Horizontal distance between a state and the tools next to it, and between two tools, in pixels.
 */
const indentation = 24

/**
 * Threshold in pixels for the difference between the widths of the left and right side of a column
 * of states. If the difference is not greater, both sides get the same width.
 */
const evened = 200

/**
 * Lays out a spine (a path of arrows through all states) as a column from top to bottom. Arrows
 * that skip states run on the right, and arrows that lead back run on the left. Both end on a
 * horizontal line directly above their target state.
 */
export function layOutSpine({ nodes, jumps }: Spine): PlacedLevel {
  const rows = placeRows(nodes, jumps)
  const right = Math.max(
    ...nodes.map(({ width, tools }) => width / 2 + toolsWidth(tools)),
    ...nodes.map(({ entry }) => (entry?.text ? labelGap + entry.room.width : 0)),
  )
  const left = Math.max(...nodes.map(({ width }) => width / 2))
  const skips = placeLanes(
    jumps.filter(({ from, to }) => to > from),
    rows,
    right,
    1,
  )
  const backs = placeLanes(
    jumps.filter(({ from, to }) => to <= from),
    rows,
    left,
    -1,
  )
  // If both sides are about equally wide, they get the same width, so that the spines of nested
  // levels are on one line.
  const isEven = Math.abs(backs.extent - skips.extent) <= evened
  const axis = isEven ? Math.max(backs.extent, skips.extent) : backs.extent
  const width = axis + (isEven ? axis : skips.extent)
  const states: PlacedState[] = []
  const marks: PlacedMark[] = []
  const arrows: PlacedArrow[] = []
  for (const [index, { state, tools, entry, width: own }] of nodes.entries()) {
    const row = rows[index] ?? emptyRow
    if (state === null)
      marks.push({
        mark: index === 0 ? "begin" : "end",
        x: axis - mark / 2,
        y: row.top,
        width: mark,
        height: mark,
      })
    else states.push({ ...state, x: axis - own / 2, y: row.top })
    let x = axis + own / 2 + 2 * indentation
    for (const tool of tools) {
      states.push({ ...tool, x, y: row.top })
      const y = row.top + Math.min(row.height, tool.height) / 2
      arrows.push({
        from: state?.id ?? null,
        to: tool.id,
        both: false,
        kind: "tool",
        label: null,
        points: [
          { x: axis + own / 2, y },
          { x, y },
        ],
      })
      x += tool.width + indentation
    }
    const before = rows[index - 1]
    if (entry !== null && before !== undefined)
      arrows.push({
        from: entry.from,
        to: entry.to,
        both: entry.both,
        kind: entry.kind ?? null,
        points: [
          { x: axis, y: before.top + before.height - (entry.from === null ? 2 : 0) },
          { x: axis, y: row.top },
        ],
        label:
          entry.text === null
            ? null
            : { text: entry.text, x: axis + labelGap, y: row.labelTop, ...entry.room },
      })
  }
  for (const { jump, points, label } of [...skips.lanes, ...backs.lanes])
    arrows.push({
      from: jump.arrow.from,
      to: jump.arrow.to,
      both: false,
      kind: jump.arrow.kind ?? null,
      points: points.map(({ x, y }) => ({ x: x + axis, y })),
      label: label === null ? null : { ...label, x: label.x + axis },
    })
  const height = Math.max(
    ...rows.map(({ bottom }) => bottom),
    ...arrows.map(({ label }) => (label === null ? 0 : label.y + label.height)),
  )
  return { x: 0, y: 0, width, height, states, marks, arrows }
}

const toolsWidth = (tools: readonly WrittenState[]): number =>
  tools.reduce((sum, { width }) => sum + width + indentation, tools.length === 0 ? 0 : indentation)

function placeRows(nodes: readonly SpineNode[], jumps: readonly Jump[]): readonly SpineRow[] {
  const targets = new Set(jumps.map(({ to }) => to))
  /**
   * Indexes of the states with an arrow that skips at least one state. If tools are next to such a
   * state, the arrow runs below the tools.
   */
  const low = new Set(jumps.filter(({ from, to }) => to > from).map(({ from }) => from))
  const rows: SpineRow[] = []
  let y = 0
  for (const [index, { height, tools, entry }] of nodes.entries()) {
    const joins = targets.has(index) ? arrivalGap + 4 : 0
    const above = nodes[index - 1]
    const leaves = above !== undefined && above.tools.length > 0 && low.has(index - 1) ? laneGap : 0
    const label = entry === null || entry.text === null ? 0 : entry.room.height + 8
    const labelTop = y + leaves + 6
    y += index === 0 ? joins : Math.max(layer, label + Math.max(joins, arrivalGap) + leaves)
    const bottom = y + Math.max(height, ...tools.map((tool) => tool.height))
    rows.push({ top: y, height, bottom, labelTop })
    y = bottom
  }
  return rows
}
