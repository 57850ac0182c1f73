import type { AgentDrags, DropTarget } from "../canvas/use-state-drag.js"
import type { DrawnState } from "../canvas/drawn-states.js"
import type { CanvasBox, CanvasPoint } from "../canvas/view.js"
import type { AgentInTree } from "./agent-tree.js"

/**
 * Width of the mark that shows where a dragged agent would be dropped, in pixels of the drawing.
 */
const markWidth = 5

/**
 * Returns the position at which a dragged agent would be inserted, which is before or after the
 * nearest sub-agent of the container at `point`. Returns null if the agent cannot be dropped there
 * or already has this position.
 */
function dropTarget(
  dragged: string,
  point: CanvasPoint,
  states: readonly DrawnState[],
  agents: readonly AgentInTree[],
): DropTarget | null {
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  const boxes = new Map<string, CanvasBox>()
  for (const {
    agents: [agent],
    isFolded,
    box,
  } of states)
    if (agent !== undefined && !isFolded && !boxes.has(agent)) boxes.set(agent, box)
  const parent = containerAt(point, boxes, byName)
  const container = parent === null ? undefined : boxes.get(parent.name)
  if (parent === null || container === undefined || isInside(parent, dragged, byName)) return null
  const siblings = parent.children.flatMap((name) => {
    const box = boxes.get(name)
    return box === undefined ? [] : [{ name, box, center: centerOf(box) }]
  })
  const others = siblings.filter(({ name }) => name !== dragged)
  const [nearest] = others.toSorted(
    (one, other) => distance(one.center, point) - distance(other.center, point),
  )
  if (nearest === undefined)
    return siblings.length > 0 ? null : { placement: { into: parent.name }, mark: container }
  const isRow = isHorizontal(
    siblings.map(({ center }) => center),
    nearest.center,
    point,
  )
  const isBefore = isRow ? point.x < nearest.center.x : point.y < nearest.center.y
  const neighbour = parent.children[parent.children.indexOf(nearest.name) + (isBefore ? -1 : 1)]
  if (neighbour === dragged) return null
  return {
    placement: isBefore ? { before: nearest.name } : { after: nearest.name },
    mark: edgeOf(nearest.box, isRow, isBefore),
  }
}

/**
 * Returns the rules for dragging agents in a drawing. Agents without sub-agents can be dragged. A
 * container can only be dragged if it is selected. In other containers, dragging moves the whole
 * drawing instead.
 */
export const agentDrags = (
  agents: readonly AgentInTree[],
  selected: string | null,
  onDrop: AgentDrags["onDrop"],
): AgentDrags => ({
  canDrag(name) {
    const agent = agents.find((one) => one.name === name)
    if (agent === undefined || agent.parent === null || agent.index < 0) return false
    return agent.children.length === 0 || name === selected
  },
  targetAt: (name, point, states) => dropTarget(name, point, states, agents),
  onDrop,
})

/**
 * Returns the innermost container at a point of the drawing. If the point is on an agent without
 * sub-agents, returns the parent of this agent. Returns null if there is no container.
 */
function containerAt(
  point: CanvasPoint,
  boxes: ReadonlyMap<string, CanvasBox>,
  agents: ReadonlyMap<string, AgentInTree>,
): AgentInTree | null {
  const [inner] = [...boxes]
    .filter(([name, box]) => agents.has(name) && contains(box, point))
    .toSorted(([, one], [, other]) => one.width * one.height - other.width * other.height)
  const agent = inner === undefined ? undefined : agents.get(inner[0])
  return (agent?.isContainer === true ? agent : agents.get(agent?.parent ?? "")) ?? null
}

/** Returns whether `agent` is the agent `outer` or is nested in it. */
function isInside(
  agent: AgentInTree,
  outer: string,
  agents: ReadonlyMap<string, AgentInTree>,
): boolean {
  const seen = new Set<string>()
  let ancestor: AgentInTree | undefined = agent
  while (ancestor !== undefined && !seen.has(ancestor.name)) {
    if (ancestor.name === outer) return true
    seen.add(ancestor.name)
    ancestor = agents.get(ancestor.parent ?? "")
  }
  return false
}

/**
 * Returns whether sibling states are arranged in a row instead of a column. If there is only one
 * sibling, the answer depends on the position of the pointer relative to this sibling.
 */
function isHorizontal(
  centers: readonly CanvasPoint[],
  nearest: CanvasPoint,
  point: CanvasPoint,
): boolean {
  const [across, down] = centers.length > 1 ? [spread(centers, "x"), spread(centers, "y")] : [0, 0]
  return across === down
    ? Math.abs(point.x - nearest.x) > Math.abs(point.y - nearest.y)
    : across > down
}

const spread = (points: readonly CanvasPoint[], axis: "x" | "y"): number => {
  const values = points.map((point) => point[axis])
  return Math.max(...values) - Math.min(...values)
}

function edgeOf({ x, y, width, height }: CanvasBox, isRow: boolean, isBefore: boolean): CanvasBox {
  const gap = 2 * markWidth
  return isRow
    ? { x: isBefore ? x - gap : x + width + markWidth, y, width: markWidth, height }
    : { x, y: isBefore ? y - gap : y + height + markWidth, width, height: markWidth }
}

const centerOf = ({ x, y, width, height }: CanvasBox): CanvasPoint => ({
  x: x + width / 2,
  y: y + height / 2,
})

const distance = (one: CanvasPoint, other: CanvasPoint): number =>
  Math.hypot(one.x - other.x, one.y - other.y)

const contains = ({ x, y, width, height }: CanvasBox, point: CanvasPoint): boolean =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height
