import type { LevelArrow } from "./level-arrows.js"
import { measures } from "./measures.js"
import type { Size, WrittenState } from "./geometry.js"
import type { TextBlock } from "./wrap-text.js"

const { mark } = measures

/**
 * An arrow in a layout with one column of states. `text` is its wrapped label, and `room` is the
 * space that the label needs.
 */
export interface SpineArrow extends LevelArrow {
  readonly text: TextBlock | null
  readonly room: Size
}

/**
 * A state, start mark or end mark in a column of states. A path of arrows connects all nodes of the
 * column. `tools` are the AgentTools of the state's agent, which are drawn next to the state.
 */
export interface SpineNode extends Size {
  /** The state at this position. Null if the position shows the start mark or the end mark. */
  readonly state: WrittenState | null
  readonly tools: readonly WrittenState[]
  /** The arrow from the previous node of the path. Null if there is no such arrow. */
  readonly entry: SpineArrow | null
}

/**
 * A path of arrows that leads through all sibling states. All other arrows (`jumps`) skip states of
 * this path or lead back.
 */
export interface Spine {
  readonly nodes: readonly SpineNode[]
  readonly jumps: readonly Jump[]
}

/**
 * An arrow between two nodes that are not consecutive on a path of nodes. `from` and `to` are the
 * indexes of the nodes on the path.
 */
export interface Jump {
  readonly arrow: SpineArrow
  readonly from: number
  readonly to: number
  /**
   * Half of the width of the source node, in pixels. An arrow that begins at the side of the node
   * starts at this distance from the center.
   */
  readonly half: number
}

/**
 * Returns a path of arrows that leads through all states, or null if there is no such path.
 * AgentTools are not part of the path. Each node of the path contains the tools that its state
 * calls.
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
