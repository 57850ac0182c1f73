import { useMemo, useRef } from "preact/hooks"
import type { ActorSummary } from "../../../machines-api.js"
import { renderedRows, useViewport } from "../../parts/use-viewport.js"
import "./actor-tree.css"

interface ActorTreeProps {
  readonly actors: readonly ActorSummary[]
  readonly selected: string | null
  readonly onSelect: (id: string) => void
}

/** Height of a row of the tree in pixels. */
const rowHeight = 26

/**
 * Component that shows the state machines of a run and their states as a tree. Only the visible
 * rows are rendered.
 */
export function ActorTree({ actors, selected, onSelect }: ActorTreeProps) {
  const container = useRef<HTMLDivElement>(null)
  const { first, end } = renderedRows(useViewport(container), actors.length, rowHeight)
  const rows = useMemo(() => treeRows(actors), [actors])
  return (
    <div class="actors" ref={container}>
      <ul
        aria-label="Machines"
        style={{
          height: `${actors.length * rowHeight}px`,
          paddingTop: `${first * rowHeight}px`,
        }}
      >
        {rows.slice(first, end).map(({ actor, depth }, index) => (
          <li
            key={actor.id}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, paddingLeft: `${depth * 0.9}rem` }}
          >
            <ActorButton
              actor={actor}
              isSelected={actor.id === selected}
              onSelect={() => onSelect(actor.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ActorButtonProps {
  readonly actor: ActorSummary
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function ActorButton({ actor, isSelected, onSelect }: ActorButtonProps) {
  const { name, machine, status, states, inFlight } = actor
  const calls =
    inFlight === 0 ? "" : ` · waits for ${inFlight} ${inFlight === 1 ? "call" : "calls"}`
  const text = `${status === "active" ? states.join(", ") : status}${calls}`
  return (
    <button type="button" aria-pressed={isSelected} title={`${name}: ${text}`} onClick={onSelect}>
      <span class={`actor-dot is-${status}`} aria-hidden="true" />
      <span class="actor-name">{shortName(name)}</span>
      <span class="actor-machine">{machine}</span>
      <span class="actor-states">{text}</span>
    </button>
  )
}

/**
 * Returns the last segment of an agent path. Omits a machine name in parentheses at the end, so
 * `team/desk (llmAgent)` becomes `desk`.
 */
export const shortName = (name: string): string =>
  name.slice(name.lastIndexOf("/") + 1).replace(/ \([^)]*\)$/, "")

interface TreeRow {
  readonly actor: ActorSummary
  /** Number of ancestors of the actor in the tree. It determines the indentation. */
  readonly depth: number
}

/** Returns the rows of the tree of state machines. Each machine is followed by its descendants. */
function treeRows(actors: readonly ActorSummary[]): readonly TreeRow[] {
  const children = new Map<string | null, ActorSummary[]>()
  for (const actor of actors) {
    const list = children.get(actor.parent)
    if (list === undefined) children.set(actor.parent, [actor])
    else list.push(actor)
  }
  const rows: TreeRow[] = []
  const below = (id: string | null, depth: number): readonly TreeRow[] =>
    (children.get(id) ?? []).map((actor) => ({ actor, depth })).reverse()
  const open = [...below(null, 0)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    rows.push(next)
    open.push(...below(next.actor.id, next.depth + 1))
  }
  return rows
}
