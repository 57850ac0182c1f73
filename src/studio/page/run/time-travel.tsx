import { useState } from "preact/hooks"
import type { StudioPast } from "../../api.js"
import { readObject } from "../client/read-json.js"

interface TravelProps {
  readonly past: StudioPast | null
  readonly at: number | null
  readonly isOpen: boolean
  readonly onTravel: (at: number | null) => void
  readonly onFork: (request: {
    readonly at: number
    readonly state?: Readonly<Record<string, unknown>>
  }) => void
}

/** Slider over the journal records, with a form to fork the run at the selected record. */
export function TimeTravel({ past, at, isOpen, onTravel, onFork }: TravelProps) {
  const [state, setState] = useState("")
  const [error, setError] = useState<string | null>(null)
  if (past === null) return null
  const here = at ?? past.of
  const fork = (event: Event): void => {
    event.preventDefault()
    const read = readObject(state, "The state")
    if (!read.ok) return setError(read.message)
    setError(null)
    onFork({ at: here, ...(read.value === null ? {} : { state: read.value }) })
  }
  return (
    <section class="travel" aria-label="Time travel">
      <div class="bar">
        <button
          type="button"
          aria-label="One record back"
          disabled={here === 0}
          onClick={() => onTravel(here - 1)}
        >
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={past.of}
          value={here}
          aria-label="Position in the journal"
          aria-valuetext={`${here} of ${past.of} records`}
          onInput={({ currentTarget }) => onTravel(Number(currentTarget.value))}
        />
        <button
          type="button"
          aria-label="One record on"
          disabled={here >= past.of}
          onClick={() => onTravel(here + 1)}
        >
          ›
        </button>
        <button type="button" aria-pressed={at === null} onClick={() => onTravel(null)}>
          {isOpen ? "Live" : "End"}
        </button>
      </div>
      <p class="calm">
        {here} of {past.of} records, {new Date(past.time).toLocaleTimeString()}
        {past.inFlight.length > 0 &&
          `; in flight: ${past.inFlight.map((call) => ("path" in call ? call.path : "a pause")).join(", ")}`}
      </p>
      <details>
        <summary>Fork from here</summary>
        <form onSubmit={fork}>
          <label>
            Written over the state, a JSON object
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
