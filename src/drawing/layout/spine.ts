import type { LevelArrow } from "./level-arrows.js"
import { measures } from "./measures.js"
import type { Size, WrittenState } from "./geometry.js"
import type { TextBlock } from "./wrap-text.js"

const { mark } = measures

/** An arrow with its wrapped label and the space that the label needs. */
export interface SpineArrow extends LevelArrow {
  readonly text: TextBlock | null
  readonly room: Size
}

/**
 * A state or mark on the spine, which is the path of arrows through all states of a level. `tools`
 * are the AgentTools that the state's agent calls.
 */
export interface SpineNode extends Size {
  /** The state; null if the node is the start mark or the end mark. */
  readonly state: WrittenState | null
  readonly tools: readonly WrittenState[]
  /** The arrow from the previous node; null if there is none. */
  readonly entry: SpineArrow | null
}

/**
 * A level in which one path of arrows leads through all states. All other arrows (jumps) skip
 * states of this path or lead back.
 */
export interface Spine {
  readonly nodes: readonly SpineNode[]
  readonly jumps: readonly Jump[]
}

/**
 * An arrow between two nodes that are not consecutive on the spine. `from` and `to` are indexes of
 * nodes.
 */
export interface Jump {
  readonly arrow: SpineArrow
  readonly from: number
  readonly to: number
  /** Half of the width of the source node, in pixels. */
  readonly half: number
}

/**
 * Returns the spine of a level: a path of arrows through all its states. Returns null if there is
 * no such path.
 */
export function spineOf(
  states: readonly WrittenState[],
  arrows: readonly SpineArrow[],
): Spine | null {
  const calls = new Map(
    arrows.flatMap(({ kind, from, to }) => (kind === "tool" ? [[to, from] as const] : [])),
  )
  if (calls.size < arrows.filter(({ kind }) => kind === "tool").length) return null
  const onSpine = states.filter(({ id }) => !calls.has(id))
  const flow = arrows.filter(({ kind }) => kind !== "tool")
  if (onSpine.length === 0 || flow.some(({ from, to }) => calls.has(from) || calls.has(to)))
    return null
  const ids: (string | null)[] = onSpine.map(({ id }) => id)
  const begins = flow.some(({ from }) => from === null)
  const ends = flow.some(({ to }) => to === null)
  const find = (from: string | null, to: string | null): SpineArrow | null =>
    flow.find((arrow) => arrow.from === from && arrow.to === to) ?? null
  const nodeOf = (state: WrittenState | null, before: string | null | undefined): SpineNode => ({
    state,
    tools: state === null ? [] : states.filter(({ id }) => calls.get(id) === state.id),
    entry: before === undefined ? null : find(before, state?.id ?? null),
    width: state?.width ?? mark,
    height: state?.height ?? mark,
  })
  const nodes = [
    ...(begins ? [nodeOf(null, undefined)] : []),
    ...onSpine.map((state, index) =>
      nodeOf(state, index === 0 ? (begins ? null : undefined) : (ids[index - 1] ?? null)),
    ),
    ...(ends ? [nodeOf(null, ids.at(-1))] : []),
  ]
  if (nodes.some(({ entry }, index) => index > 0 && entry === null)) return null
  const shift = begins ? 1 : 0
  const positions = new Map(onSpine.map(({ id }, index) => [id, index + shift]))
  const entries = new Set(nodes.map(({ entry }) => entry))
  const jumps = flow
    .filter((arrow) => !entries.has(arrow))
    .map((arrow): Jump => {
      const from = arrow.from === null ? 0 : (positions.get(arrow.from) ?? 0)
      const to = arrow.to === null ? nodes.length - 1 : (positions.get(arrow.to) ?? 0)
      return { arrow, from, to, half: (nodes[from]?.width ?? 0) / 2 }
    })
  return jumps.some(({ arrow }) => arrow.both) ? null : { nodes, jumps }
}
