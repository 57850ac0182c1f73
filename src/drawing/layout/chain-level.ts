import type { LevelArrow } from "./level-arrows.js"
import { markAt } from "./mark-at.js"
import { measures } from "./measures.js"
import type { PlacedArrow, PlacedLevel, PlacedMark, PlacedState, WrittenState } from "./geometry.js"
import type { Point } from "./geometry.js"

const { mark, layer } = measures

/**
 * A list of states in which each state is unconditionally followed by the next state. `begins` and
 * `ends` are true if there are arrows from the start mark and to the end mark.
 */
export interface Chain {
  readonly states: readonly WrittenState[]
  readonly begins: boolean
  readonly ends: boolean
}

/**
 * Returns the states in the order of the arrows. Returns null if the arrows do not connect all
 * states one after the other.
 */
export function chainOf(
  states: readonly WrittenState[],
  arrows: readonly LevelArrow[],
): Chain | null {
  if (arrows.some(({ labels, both, kind }) => labels.length > 0 || both || kind !== undefined))
    return null
  const next = new Map(arrows.map(({ from, to }) => [from, to]))
  const targets = new Set(arrows.map(({ to }) => to))
  if (next.size < arrows.length || targets.size < arrows.length) return null
  const byId = new Map(states.map((state) => [state.id, state]))
  const first = next.has(null) ? next.get(null) : states.find(({ id }) => !targets.has(id))?.id
  const order: WrittenState[] = []
  let current: string | null | undefined = first
  while (typeof current === "string" && order.length <= states.length) {
    const state = byId.get(current)
    if (state === undefined) return null
    order.push(state)
    current = next.get(current)
  }
  const [begins, ends] = [next.has(null), current === null]
  const count = order.length - 1 + (begins ? 1 : 0) + (ends ? 1 : 0)
  return order.length === states.length && count === arrows.length
    ? { states: order, begins, ends }
    : null
}

/** Limits that control whether a long sequence of states is divided into several columns. */
export interface ChainFolding {
  /**
   * Maximum length of a column of states, in pixels. A longer sequence of states is divided into
   * several columns.
   */
  readonly longest: number
  /** Preferred aspect ratio (width divided by height) of a sequence with several columns. */
  readonly ratio: number
}

/** Minimum number of states in a sequence that is divided into columns. */
const fewestFolded = 6

/**
 * Space between two columns of states in pixels. The arrow to the next column runs through its
 * middle.
 */
const columnGap = 56

/**
 * Computes the positions of a sequence of states from top to bottom. A tall sequence is divided
 * into several columns. An arrow leads from the end of each column to the beginning of the next
 * column.
 */
export function layOutChain({ states, begins, ends }: Chain, folding: ChainFolding): PlacedLevel {
  const columns = columnsOf(states, folding)
  const isFolded = columns.length > 1
  const top = begins ? mark + layer : isFolded ? layer : 0
  const placed: PlacedState[] = []
  const arrows: PlacedArrow[] = []
  const marks: PlacedMark[] = []
  let x = 0
  let bottom = 0
  let before: { readonly id: string; readonly from: Point } | null = null
  for (const column of columns) {
    const width = Math.max(...column.map((state) => state.width))
    const center = x + width / 2
    let y = top
    for (const state of column) {
      const to = { x: center, y }
      if (before !== null) {
        const isBelow = before.from.x === center
        const points = isBelow ? [before.from, to] : around(before.from, x - columnGap / 2, to)
        arrows.push(arrow(before.id, state.id, points))
      }
      placed.push({ ...state, x: center - state.width / 2, y })
      before = { id: state.id, from: { x: center, y: y + state.height } }
      y += state.height + layer
    }
    bottom = Math.max(bottom, y - layer + (column === columns.at(-1) || !isFolded ? 0 : layer / 2))
    x += width + columnGap
  }
  const [first] = placed
  if (begins && first !== undefined) {
    const center = first.x + first.width / 2
    marks.push(markAt("begin", center, 0))
    const points = [
      { x: center, y: mark - 2 },
      { x: center, y: first.y },
    ]
    arrows.unshift(arrow(null, first.id, points))
  }
  if (ends && before !== null) {
    const end = { x: before.from.x, y: before.from.y + layer }
    marks.push(markAt("end", end.x, end.y))
    arrows.push(arrow(before.id, null, [before.from, end]))
    bottom = Math.max(bottom, end.y + mark)
  }
  return { x: 0, y: 0, width: x - columnGap, height: bottom, states: placed, marks, arrows }
}

const arrow = (from: string | null, to: string | null, points: readonly Point[]): PlacedArrow => ({
  from,
  to,
  points,
  label: null,
  both: false,
  kind: null,
})

/**
 * Returns the points of the arrow from the end of a column to the beginning of the next column. The
 * arrow runs through the space between the columns, at the x coordinate `gap`.
 */
const around = (from: Point, gap: number, to: Point): readonly Point[] => [
  from,
  { x: from.x, y: from.y + layer / 2 },
  { x: gap, y: from.y + layer / 2 },
  { x: gap, y: to.y - layer / 2 },
  { x: to.x, y: to.y - layer / 2 },
  to,
]

/**
 * Divides a sequence of states into columns of about the same height. A short sequence stays in one
 * column.
 */
function columnsOf(
  states: readonly WrittenState[],
  { longest, ratio }: ChainFolding,
): readonly (readonly WrittenState[])[] {
  const total = states.reduce((sum, { height }) => sum + height + layer, 0)
  let best = [states]
  if (total <= longest || states.length < fewestFolded) return best
  let distance = Infinity
  const most = Math.min(states.length, Math.ceil(Math.sqrt(states.length)) * 3)
  for (let count = 1; count <= most; count++) {
    const columns = divide(states, total / count)
    const width = columns.reduce(
      (sum, column) => sum + Math.max(...column.map((state) => state.width)) + columnGap,
      0,
    )
    const height = Math.max(...columns.map(heightOf))
    const from = Math.abs(Math.log(width / height / ratio))
    if (from >= distance) continue
    best = columns
    distance = from
  }
  return best
}

const heightOf = (column: readonly WrittenState[]): number =>
  column.reduce((sum, { height }) => sum + height + layer, 0)

function divide(states: readonly WrittenState[], height: number): WrittenState[][] {
  const columns: WrittenState[][] = []
  let used = Infinity
  for (const state of states) {
    const size = state.height + layer
    if (used + size / 2 > height) {
      columns.push([state])
      used = size
    } else {
      columns.at(-1)?.push(state)
      used += size
    }
  }
  return columns
}
