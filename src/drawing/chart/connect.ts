import type { MachineEdge } from "./machine-edges.js"
import { handoffLabel } from "./guard-label.js"
import { levelOf, liftTo } from "./machine-edges.js"
import type { Arrow, ArrowKind } from "../picture/picture.js"

export interface Connections {
  /**
   * State path of the container whose direct children are drawn, for example `team.desk`. The empty
   * path stands for the whole machine.
   */
  readonly level: string
  readonly initial: string | null
  readonly edges: readonly MachineEdge[]
  /** State paths of the choice states. They contain no agent and only choose the next state. */
  readonly choices: ReadonlySet<string>
  /**
   * Id of each drawn state in the drawing, by state path. A final state that is drawn as an end
   * mark (a ring) has no id.
   */
  readonly ids: ReadonlyMap<string, string>
  /**
   * Whether to draw the transitions that end the machine early, which are exits, escalations,
   * failures and limits.
   */
  readonly all: boolean
  /**
   * Whether to draw choice states (states that only choose the next state) with only one outgoing
   * arrow. If false, incoming arrows lead directly to the next state.
   */
  readonly keepsChoices: boolean
}

/**
 * Returns the arrows between the direct children of one container. A choice state that has only one
 * outgoing arrow is bypassed. Its incoming arrows then lead directly to the next state. If
 * `keepsChoices` is true, choice states are never bypassed.
 */
export function connect({ level, initial, edges, choices, ids, all, keepsChoices }: Connections): {
  readonly arrows: readonly Arrow[]
  readonly bypassed: ReadonlySet<string>
} {
  const idOf = (path: string): string | null => ids.get(path) ?? null
  const start: Arrow[] = initial === null ? [] : [{ from: null, to: idOf(initial), labels: [] }]
  const internalArrows = edges
    .filter(({ ending }) => ending === null)
    .map((edge) => arrowOf(edge, edge.to.startsWith(`${edge.from}.`) || isInside(edge), idOf))
  const endings = edges.filter(({ ending }) => ending !== null)
  const out = all ? endings.map((edge) => arrowOf(edge, true, idOf)) : []
  const { arrows, bypassed } = straighten(
    merge([...start, ...internalArrows, ...out]),
    new Set(keepsChoices ? [] : [...choices].flatMap((path) => idOf(path) ?? [])),
  )
  // A machine that runs in a cycle can only end with an exit, so its exits are drawn as the normal
  // end.
  const isCycle =
    level === "" &&
    (internalArrows.some(({ labels }) => labels.includes("again")) ||
      arrows.every(({ to }) => to !== null))
  const exits = all || !isCycle ? [] : endings.filter(({ ending }) => ending === "exited")
  const ends = exits.map((edge): Arrow => ({ ...arrowOf(edge, true, idOf), to: null }))
  return {
    arrows: merge([...arrows, ...ends]),
    bypassed: new Set([...choices].filter((path) => bypassed.has(idOf(path) ?? ""))),
  }
}

/** Returns whether an edge leads from a nested state to a state that contains it. */
const isInside = ({ from, to }: MachineEdge): boolean => from.startsWith(`${to}.`)

/**
 * Converts a transition to an arrow. If `lifted` is true, an arrow from a nested state starts at
 * its ancestor on the level of the target. Otherwise, the arrow would cross the border of this
 * ancestor.
 */
function arrowOf(edge: MachineEdge, lifted: boolean, idOf: (path: string) => string | null): Arrow {
  const { from, to, label } = edge
  const kind = kindOf(edge)
  return {
    ...(kind !== null && { kind }),
    from: idOf(lifted ? liftTo(levelOf(edge), from) : from),
    to: idOf(to),
    labels: label === null ? [] : [label],
  }
}

const kindOf = ({ ending, label }: MachineEdge): ArrowKind | null =>
  ending === "failed" || ending === "stopped"
    ? "failure"
    : label === handoffLabel
      ? "handoff"
      : null

/**
 * Merges all arrows between the same two states into one arrow with all labels. If one of the
 * arrows has no labels, its transition is unconditional, so the merged arrow has no labels.
 */
function merge(arrows: readonly Arrow[]): readonly Arrow[] {
  const merged = new Map<string, Arrow>()
  for (const arrow of arrows) {
    const key = `${arrow.from ?? ""}>${arrow.to ?? ""}`
    const known = merged.get(key)
    const always = arrow.labels.length === 0 || known?.labels.length === 0
    const labels = always ? [] : [...new Set([...(known?.labels ?? []), ...arrow.labels])]
    const { kind, ...rest } = arrow
    const isSame = kind !== undefined && (known === undefined || known.kind === kind)
    merged.set(key, { ...rest, labels, ...(isSame && { kind }) })
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
          ? { ...arrow, to: only.to, labels: both(arrow.labels, only.labels) }
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
