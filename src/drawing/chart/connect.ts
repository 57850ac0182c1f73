import type { MachineEdge } from "./machine-edges.js"
import { levelOf, liftTo } from "./machine-edges.js"
import type { Arrow } from "../picture/picture.js"

export interface Connections {
  /** State path of the level, `""` for the machine. */
  readonly level: string
  readonly initial: string | null
  readonly edges: readonly MachineEdge[]
  /** Paths of its states that only decide. */
  readonly choices: ReadonlySet<string>
  /** Ids by path; final states that are drawn as the end have none. */
  readonly ids: ReadonlyMap<string, string>
  /** Whether exits, escalations, failures and limits are drawn, too. */
  readonly all: boolean
}

/** The arrows of one level, and the choices that have only one way on: there, the arrows go straight through. */
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
  // A machine that goes round ends by an exit: that is the way, not an exception.
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

/** Whether an edge leads to a state around the one that it leaves. */
const isInside = ({ from, to }: MachineEdge): boolean => from.startsWith(`${to}.`)

/** `lifted`: drawn from the state of its level that it leaves, so that no arrow crosses a border. */
function arrowOf(edge: MachineEdge, lifted: boolean, idOf: (path: string) => string | null): Arrow {
  const { from, to, label } = edge
  return {
    from: idOf(lifted ? liftTo(levelOf(edge), from) : from),
    to: idOf(to),
    labels: label === null ? [] : [label],
  }
}

/** One arrow between two states, in the order of the chart. An unconditional one needs no other reasons. */
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
