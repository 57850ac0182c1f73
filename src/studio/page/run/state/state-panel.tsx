import type { RunEvent } from "../../../api.js"
import "./state-panel.css"

interface StatePanelProps {
  readonly state: Readonly<Record<string, unknown>>
  readonly events: readonly RunEvent[]
}

/** Shows the session state at the selected record. Marks the keys that changed last. */
export function StatePanel({ state, events }: StatePanelProps) {
  const writers = new Map<string, string>()
  let changed: ReadonlySet<string> = new Set()
  for (const event of events) {
    if (event.type !== "state.changed") continue
    for (const key of Object.keys(event.set)) writers.set(key, event.path)
    changed = new Set([...Object.keys(event.set), ...event.removed])
  }
  const entries = Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1))
  if (entries.length === 0) return <p class="calm">The state is empty.</p>
  return (
    <dl class="state">
      {entries.map(([key, value]) => (
        <div key={key} class={changed.has(key) ? "is-new" : ""}>
          <dt>
            {key} {writers.has(key) && <small>by {writers.get(key)}</small>}
          </dt>
          <dd>
            <pre tabIndex={0}>
              {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  )
}
