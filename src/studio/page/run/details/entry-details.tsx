import { durationText } from "../../parts/duration.js"
import { Disclosure } from "../../parts/disclosure.js"
import { ValueView } from "../../parts/value-view.js"
import type { StateChange } from "../folds/state-changes.js"
import type { LogEntry } from "../folds/run-log.js"
import { CallDetails } from "./call-details.js"
import "./details.css"

interface EntryDetailsProps {
  readonly runId: string
  readonly entry: LogEntry
  readonly text: { readonly title: string; readonly text: string }
  /** The changes of the session state, if the entry is a `state.changed` event. Otherwise empty. */
  readonly changes: readonly StateChange[]
  /**
   * Called when the user wants to see the run directly after an event. `seq` is the number of the
   * event, or -1 for the start of the run.
   */
  readonly onTravel: (seq: number) => void
  /**
   * Called when the user wants to fork the run directly after an event. `seq` is the number of the
   * event.
   */
  readonly onFork: (seq: number) => void
  readonly onClose: () => void
}

/** Component that shows all details of an event, or of a call and its response. */
export function EntryDetails({
  runId,
  entry,
  text,
  changes,
  onTravel,
  onFork,
  onClose,
}: EntryDetailsProps) {
  const { events, call } = entry
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return null
  const duration = call?.end == null ? null : durationText(call.end - call.start)
  return (
    <section class="entry-details" aria-label="Details of the event">
      <div class="bar">
        <h3>
          {text.title} <small>{first.path}</small>
        </h3>
        <div class="entry-actions">
          {call !== null && (
            <button
              type="button"
              title="Show the run before this call"
              onClick={() => onTravel(first.seq - 1)}
            >
              Before the call
            </button>
          )}
          <button
            type="button"
            title={
              call === null ? "Show the run after this event" : "Show the run after the response"
            }
            onClick={() => onTravel(last.seq)}
          >
            Travel here
          </button>
          <button type="button" aria-label="Close the details" onClick={onClose}>
            ×
          </button>
        </div>
      </div>
      <div class="entry-body" tabIndex={0} role="group" aria-label="Content of the event">
        {call !== null && (
          <div class="entry-facts">
            <p>
              {[
                duration ?? "in flight",
                call.attempts > 1 ? `${call.attempts} attempts` : null,
                call.tokens === null
                  ? null
                  : `${call.tokens.input} input and ${call.tokens.output} output tokens`,
              ]
                .filter((fact) => fact !== null)
                .join(" · ")}
            </p>
            <button
              type="button"
              title="Start a new run that makes this call again, for example with another prompt"
              onClick={() => onFork(first.seq - 1)}
            >
              Fork before this call…
            </button>
          </div>
        )}
        {call?.error != null && <p class="trouble">{call.error}</p>}
        {call !== null && call.pauses.length > 0 && (
          <ul class="pauses">
            {call.pauses.map(({ from, until, error }) => (
              <li key={from}>
                {error} <small>Next attempt after {durationText(until - from)}</small>
              </li>
            ))}
          </ul>
        )}
        {changes.length > 0 && <Changes changes={changes} />}
        {call !== null && call.kind !== "person" ? (
          <CallDetails runId={runId} call={call} events={events} />
        ) : (
          changes.length === 0 && (
            <>
              <p class="entry-text">{text.text}</p>
              <ValueView value={contentOf(last)} />
            </>
          )
        )}
        <Disclosure summary={events.length === 1 ? "Event as JSON" : "Events as JSON"}>
          {() =>
            events.map((event) => (
              <pre key={event.seq} tabIndex={0}>
                {JSON.stringify(event, null, 2)}
              </pre>
            ))
          }
        </Disclosure>
      </div>
    </section>
  )
}

/**
 * Returns an event without the fields that the event list already shows, such as `agent` and `at`.
 */
function contentOf(event: object): object {
  const known = new Set(["seq", "at", "runId", "agent", "path", "branch", "type"])
  return Object.fromEntries(Object.entries(event).filter(([name]) => !known.has(name)))
}

function Changes({ changes }: { readonly changes: readonly StateChange[] }) {
  return (
    <dl class="changes">
      {changes.map(({ key, before, after }) => (
        <div key={key}>
          <dt>{key}</dt>
          {before !== undefined && <dd class="was">{before}</dd>}
          {after !== undefined && <dd class="is">{after}</dd>}
        </div>
      ))}
    </dl>
  )
}
