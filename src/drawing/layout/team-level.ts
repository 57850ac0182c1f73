import type { LevelArrow } from "./level-arrows.js"
import { markAt } from "./mark-at.js"
import { measures } from "./measures.js"
import type {
  PlacedArrow,
  PlacedLevel,
  PlacedMark,
  PlacedState,
  Point,
  WrittenState,
} from "./geometry.js"

const { gap, mark, layer } = measures

/**
 * The states of a handoff team, whose members hand off to each other. `ends` are the arrows from
 * members to the end mark (the ring after the last state).
 */
export interface HandoffLevel {
  readonly first: WrittenState
  readonly others: readonly WrittenState[]
  readonly begin: LevelArrow
  readonly handoffs: readonly LevelArrow[]
  readonly ends: readonly LevelArrow[]
}

/**
 * Minimum number of team members for a layout in which all handoffs share one line. In a team of
 * two, handoffs are drawn as ordinary arrows.
 */
const fewestMembers = 3

/**
 * Returns the team if all of its handoffs can share a single line, otherwise null. The line
 * connects every sender with every receiver. Therefore, each member that sends handoffs must be
 * able to hand off to each member that receives handoffs.
 */
export function handoffLevelOf(
  states: readonly WrittenState[],
  arrows: readonly LevelArrow[],
): HandoffLevel | null {
  const handoffs = arrows.filter(({ kind }) => kind === "handoff")
  if (handoffs.length === 0 || states.length < fewestMembers) return null
  const [begin, ...otherBegins] = arrows.filter(({ from }) => from === null)
  const ends = arrows.filter(({ from, to }) => from !== null && to === null)
  const first = states.find(({ id }) => id === begin?.to)
  if (
    begin === undefined ||
    first === undefined ||
    otherBegins.length > 0 ||
    handoffs.length + ends.length + 1 < arrows.length ||
    [begin, ...ends].some(({ labels, kind }) => labels.length > 0 || kind !== undefined) ||
    !isComplete(handoffs)
  )
    return null
  const members = new Set(handoffs.flatMap(({ from, to }) => [from, to]))
  return states.every(({ id }) => members.has(id))
    ? { first, others: states.filter((state) => state !== first), begin, handoffs, ends }
    : null
}

/**
 * Returns whether every state that hands off can hand off to every state that receives handoffs.
 */
function isComplete(handoffs: readonly LevelArrow[]): boolean {
  const pairs = handoffs.flatMap(({ from, to, both }) =>
    both ? [[from, to] as const, [to, from] as const] : [[from, to] as const],
  )
  const senders = new Set(pairs.map(([from]) => from))
  const receivers = new Set(pairs.map(([, to]) => to))
  const alone = [...senders].filter((sender) => receivers.has(sender)).length
  const distinct = new Set(pairs.map(([from, to]) => `${from ?? ""} ${to ?? ""}`)).size
  return distinct === senders.size * receivers.size - alone
}

/**
 * Computes the positions of a handoff team. The first member is at the top, and the other members
 * are in a row below it. All handoffs share a horizontal line between them.
 */
export function layOutHandoffs({
  first,
  others,
  begin,
  handoffs,
  ends,
}: HandoffLevel): PlacedLevel {
  const lane = ends.some(({ from }) => from === first.id) ? gap : 0
  const row = others.reduce((sum, { width }) => sum + width + gap, -gap)
  const width = Math.max(row, first.width) + 2 * lane
  const center = width / 2
  const placedFirst: PlacedState = { ...first, x: center - first.width / 2, y: mark + layer }
  const shared = placedFirst.y + first.height + layer
  const top = shared + layer
  const placed: PlacedState[] = [placedFirst]
  let x = center - row / 2
  for (const state of others) {
    placed.push({ ...state, x, y: top })
    x += state.width + gap
  }
  const byId = new Map(placed.map((state) => [state.id, state]))
  const middle = (id: string | null): number => {
    const state = byId.get(id ?? "")
    return state === undefined ? center : state.x + state.width / 2
  }
  /**
   * Returns the point at which a handoff arrow begins or ends at a team member. The handoff line is
   * below the first member and above all others. Therefore, this is the lower edge of the first
   * member, or the upper edge of another member.
   */
  const stub = (id: string | null): Point => ({
    x: middle(id),
    y: id === first.id ? placedFirst.y + first.height : top,
  })
  const arrows: PlacedArrow[] = [
    arrow(begin, [
      { x: center, y: mark - 2 },
      { x: center, y: placedFirst.y },
    ]),
    ...handoffs.map((handoff) => {
      const [from, to] = [stub(handoff.from), stub(handoff.to)]
      const bends = from.x === to.x ? [] : [from, to].map((end) => ({ x: end.x, y: shared }))
      return arrow(handoff, [from, ...bends, to])
    }),
  ]
  const marks: PlacedMark[] = [markAt("begin", center, 0)]
  let bottom = Math.max(...placed.map((state) => state.y + state.height))
  if (ends.length > 0) {
    const collected = bottom + layer / 2
    const end = { x: center, y: collected + layer - 8 }
    marks.push(markAt("end", end.x, end.y))
    for (const ending of ends) {
      const state = byId.get(ending.from ?? "")
      if (state === undefined) continue
      const start =
        state === placedFirst
          ? [
              { x: state.x, y: state.y + state.height / 2 },
              { x: 1, y: state.y + state.height / 2 },
              { x: 1, y: collected },
            ]
          : [
              { x: middle(state.id), y: state.y + state.height },
              { x: middle(state.id), y: collected },
            ]
      const isStraight = start.at(-1)?.x === end.x
      arrows.push(
        arrow(ending, [
          ...(isStraight ? start.slice(0, -1) : [...start, { x: end.x, y: collected }]),
          end,
        ]),
      )
    }
    bottom = end.y + mark
  }
  return { x: 0, y: 0, width, height: bottom, states: placed, marks, arrows }
}

const arrow = ({ from, to, both, kind }: LevelArrow, points: readonly Point[]): PlacedArrow => ({
  from,
  to,
  both,
  kind: kind ?? null,
  points,
  label: null,
})
