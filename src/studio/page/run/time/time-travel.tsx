import { useState } from "preact/hooks"
import type { StudioSnapshot } from "../../../api.js"
import { parseJsonObject } from "../../client/parse-json.js"
import "./time-travel.css"

interface TimeTravelProps {
  readonly snapshot: StudioSnapshot | null
  /** The selected number of records. null follows the latest record. */
  readonly at: number | null
  /** Whether the run can still emit events. */
  readonly isOpen: boolean
  readonly onTravel: (at: number | null) => void
  readonly onFork: (request: {
    readonly at: number
    readonly state?: Readonly<Record<string, unknown>>
  }) => void
}

/** Slider over the journal records, with a form to fork the run at the selected record. */
export function TimeTravel({ snapshot, at, isOpen, onTravel, onFork }: TimeTravelProps) {
  const [state, setState] = useState("")
  const [error, setError] = useState<string | null>(null)
  if (snapshot === null) return null
  const position = at ?? snapshot.of
  const fork = (event: Event): void => {
    event.preventDefault()
    const parsed = parseJsonObject(state, "The state")
    if (!parsed.ok) return setError(parsed.message)
    setError(null)
    onFork({ at: position, ...(parsed.value === null ? {} : { state: parsed.value }) })
  }
  return (
    <section class="card travel" aria-label="Time travel">
      <div class="bar">
        <button
          type="button"
          aria-label="Previous record"
          disabled={position === 0}
          onClick={() => onTravel(position - 1)}
        >
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={snapshot.of}
          value={position}
          aria-label="Position in the journal"
          aria-valuetext={`${position} of ${snapshot.of} records`}
          onInput={({ currentTarget }) => onTravel(Number(currentTarget.value))}
        />
        <button
          type="button"
          aria-label="Next record"
          disabled={position >= snapshot.of}
          onClick={() => onTravel(position + 1)}
        >
          ›
        </button>
        <button type="button" aria-pressed={at === null} onClick={() => onTravel(null)}>
          {isOpen ? "Live" : "End"}
        </button>
      </div>
      <p class="calm">
        {position} of {snapshot.of} records, {new Date(snapshot.time).toLocaleTimeString()}
        {snapshot.inFlight.length > 0 &&
          `; in flight: ${snapshot.inFlight.map((call) => ("path" in call ? call.path : "a pause")).join(", ")}`}
      </p>
      <details>
        <summary>Fork from here</summary>
        <form onSubmit={fork}>
          <label>
            Values to overwrite in the state, as a JSON object
            <textarea
              rows={2}
              spellcheck={false}
              value={state}
              onInput={({ currentTarget }) => setState(currentTarget.value)}
            />
          </label>
          <button type="submit">Fork and run</button>
          {error !== null && (
            <p role="alert" class="trouble">
              {error}
            </p>
          )}
        </form>
      </details>
    </section>
  )
}
