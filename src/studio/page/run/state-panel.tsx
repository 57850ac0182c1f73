import type { RunEvent } from "../../api.js"

interface StatePanelProps {
  readonly state: Readonly<Record<string, unknown>>
  readonly events: readonly RunEvent[]
}

/** The session state at the position that is looked at; what was written last is marked. */
export function StatePanel({ state, events }: StatePanelProps) {
  const writers = new Map<string, string>()
  let last: ReadonlySet<string> = new Set()
  for (const event of events) {
    if (event.type !== "state.changed") continue
    for (const key of Object.keys(event.set)) writers.set(key, event.path)
    last = new Set([...Object.keys(event.set), ...event.removed])
  }
  const entries = Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1))
  if (entries.length === 0) return <p class="calm">The state is empty.</p>
  return (
    <dl class="state">
      {entries.map(([key, value]) => (
        <div key={key} class={last.has(key) ? "is-new" : ""}>
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
