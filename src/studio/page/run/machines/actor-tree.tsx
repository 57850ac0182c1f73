import type { ActorSummary } from "../../../machines-api.js"
import "./actor-tree.css"

interface ActorTreeProps {
  readonly actors: readonly ActorSummary[]
  readonly selected: string | null
  readonly onSelect: (id: string) => void
}

/** Lists the machines of a run below their parents, with their states. */
export function ActorTree({ actors, selected, onSelect }: ActorTreeProps) {
  const depths = new Map<string, number>()
  // A parent precedes its children.
  for (const { id, parent } of actors)
    depths.set(id, parent === null ? 0 : (depths.get(parent) ?? 0) + 1)
  return (
    <ul class="actors" aria-label="Machines" tabIndex={0}>
      {inTreeOrder(actors).map((actor) => (
        <li key={actor.id} style={{ paddingLeft: `${(depths.get(actor.id) ?? 0) * 0.9}rem` }}>
          <button
            type="button"
            aria-pressed={selected === actor.id}
            onClick={() => onSelect(actor.id)}
          >
            <span class="actor-head">
              <span class={`actor-dot is-${actor.status}`} aria-hidden="true" />
              <span class="actor-name">{shortName(actor.name)}</span>
              <span class="actor-machine">{actor.machine}</span>
            </span>
            <span class="actor-states">
              {actor.status === "active" ? actor.states.join(", ") : actor.status}
              {actor.inFlight > 0 &&
                ` · waits for ${actor.inFlight} ${actor.inFlight === 1 ? "call" : "calls"}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Returns the last segment of the path of an agent, without the machine name in parentheses. */
export const shortName = (name: string): string =>
  name.slice(name.lastIndexOf("/") + 1).replace(/ \([^)]*\)$/, "")

function inTreeOrder(actors: readonly ActorSummary[]): readonly ActorSummary[] {
  const children = new Map<string | null, ActorSummary[]>()
  for (const actor of actors) {
    const list = children.get(actor.parent)
    if (list === undefined) children.set(actor.parent, [actor])
    else list.push(actor)
  }
  const ordered: ActorSummary[] = []
  const open = [...(children.get(null) ?? [])].reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    ordered.push(next)
    open.push(...[...(children.get(next.id) ?? [])].reverse())
  }
  return ordered
}
