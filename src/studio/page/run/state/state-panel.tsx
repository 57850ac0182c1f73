import type { StateChanges } from "../folds/state-changes.js"
import "./state-panel.css"

interface StatePanelProps {
  readonly state: Readonly<Record<string, unknown>>
  readonly changes: StateChanges
}

/**
 * Component that shows the session state at the selected position of a run, and marks the keys that
 * the latest change has set.
 */
export function StatePanel({ state, changes: { writers, last } }: StatePanelProps) {
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
