import type { MachineEdge } from "./machine-edges.js"
import { levelOf, liftTo } from "./machine-edges.js"
import type { Arrow } from "../picture/picture.js"

export interface Connections {
  /** State path of the level. `""`: the whole machine. */
  readonly level: string
  readonly initial: string | null
  readonly edges: readonly MachineEdge[]
  /** Paths of the states that only choose the next state. */
  readonly choices: ReadonlySet<string>
  /** Ids by state path. Final states that are drawn as an end mark have no id. */
  readonly ids: ReadonlyMap<string, string>
  /** Whether exits, escalations, failures and limits are drawn too. */
  readonly all: boolean
}

/**
 * Returns the arrows of one level. A choice with a single outgoing arrow is left out, and its
 * arrows are joined.
 */
export function connect({ level, initial, edges, choices, ids, all }: Connections): {
  readonly arrows: readonly Arrow[]
  readonly bypassed: ReadonlySet<string>
} {
  const idOf = (path: string): string | null => ids.get(path) ?? null
  const start: Arrow[] = initial === null ? [] : [{ from: null, to: idOf(initial), labels: [] }]
  const ways = edges
    .filter(({ ending }) => ending === null)
    .map((edge) => arrowOf(edge, edge.to.startsWith(`${edge.from}.`) || isInside(edge), idOf))
  const endings = edges.filter(({ ending }) => ending !== null)
  const out = all ? endings.map((edge) => arrowOf(edge, true, idOf)) : []
  const { arrows, bypassed } = straighten(
    merge([...start, ...ways, ...out]),
    new Set([...choices].flatMap((path) => idOf(path) ?? [])),
  )
  // A cyclic machine has no other end than an exit, so its exits are drawn as the normal end.
  const goesRound =
    level === "" &&
    (ways.some(({ labels }) => labels.includes("again")) || arrows.every(({ to }) => to !== null))
  const exits = all || !goesRound ? [] : endings.filter(({ ending }) => ending === "exited")
  const ends = exits.map((edge): Arrow => ({ ...arrowOf(edge, true, idOf), to: null }))
  return {
    arrows: merge([...arrows, ...ends]),
    bypassed: new Set([...choices].filter((path) => bypassed.has(idOf(path) ?? ""))),
  }
}

/** Whether an edge leads to a state that contains its source. */
const isInside = ({ from, to }: MachineEdge): boolean => from.startsWith(`${to}.`)

/**
 * Converts an edge. If `lifted`, the arrow starts at the ancestor of the source that is in the
 * level of the target, so that it crosses no border.
 */
function arrowOf(edge: MachineEdge, lifted: boolean, idOf: (path: string) => string | null): Arrow {
  const { from, to, label } = edge
  return {
    from: idOf(lifted ? liftTo(levelOf(edge), from) : from),
    to: idOf(to),
    labels: label === null ? [] : [label],
  }
}

/**
 * Merges arrows between the same two states, in chart order. An arrow without labels is
 * unconditional, so the merged arrow needs no labels either.
 */
function merge(arrows: readonly Arrow[]): readonly Arrow[] {
  const merged = new Map<string, Arrow>()
  for (const arrow of arrows) {
    const key = `${arrow.from ?? ""}>${arrow.to ?? ""}`
    const known = merged.get(key)
    const always = arrow.labels.length === 0 || known?.labels.length === 0
    const labels = always ? [] : [...new Set([...(known?.labels ?? []), ...arrow.labels])]
    merged.set(key, { ...arrow, labels })
  }
  return [...merged.values()]
}

function straighten(
  given: readonly Arrow[],
  choices: ReadonlySet<string>,
): { readonly arrows: readonly Arrow[]; readonly bypassed: ReadonlySet<string> } {
  const bypassed = new Set<string>()
  let arrows = given
  for (const choice of choices) {
    const [only, ...others] = arrows.filter(({ from }) => from === choice)
    if (only === undefined || others.length > 0 || only.to === choice) continue
    bypassed.add(choice)
    const through = arrows
      .filter(({ from }) => from !== choice)
      .map((arrow) =>
        arrow.to === choice
          ? { from: arrow.from, to: only.to, labels: both(arrow.labels, only.labels) }
          : arrow,
      )
    arrows = merge(through)
  }
  return { arrows, bypassed }
}

const both = (before: readonly string[], after: readonly string[]): readonly string[] =>
  before.length === 0
    ? after
    : after.length === 0
      ? before
      : before.flatMap((one) => after.map((other) => `${one}, ${other}`))
