import type { RunWithChart } from "../../../api.js"
import type { PolicyEvent } from "../folds/run-folds.js"
import "./policy-notes.css"

interface PolicyNotesProps {
  readonly info: RunWithChart
  /** The events about policy violations and about calls that policies have stopped, in order. */
  readonly events: readonly PolicyEvent[]
  /**
   * Called when the user wants to see the run directly after an event. `seq` is the number of the
   * event.
   */
  readonly onTravel: (seq: number) => void
}

/**
 * Component that shows the policies of a run, the calls that they have stopped, and the violations.
 */
export function PolicyNotes({ info, events, onTravel }: PolicyNotesProps) {
  const { policies, counterexample } = info
  if (policies === null && events.length === 0) return null
  const stopped = events.filter(({ type }) => type === "policy.refused").length
  const violated = events.length - stopped
  const names = policies !== null && counterexample === null && (
    <span class="policy-names">
      {policies.enforce ? "Enforced" : "Reported"} policies: {policies.names.join(", ")}
    </span>
  )
  if (events.length === 0 && counterexample === null)
    return <p class="policy-notes">No violation. {names}</p>
  return (
    <details class="policy-notes" open={counterexample !== null}>
      <summary>
        {counterexample !== null && `Counterexample of ${counterexample.policy}: `}
        {violated > 0 && (
          <strong class="is-bad">
            {violated} {violated === 1 ? "violation" : "violations"}
          </strong>
        )}
        {violated > 0 && stopped > 0 && ", "}
        {stopped > 0 && (
          <strong class="is-stopped">
            {stopped} stopped {stopped === 1 ? "call" : "calls"}
          </strong>
        )}
        {events.length === 0 && "not violated yet"} {names}
      </summary>
      {counterexample !== null && (
        <p class="calm">
          This run was started from the verdict on {counterexample.file}:{counterexample.line}. All
          answers are scripted, and no policy is enforced.
        </p>
      )}
      <ul>
        {events.map((event) => (
          <li key={event.seq} class={event.type === "policy.refused" ? "is-stopped" : "is-bad"}>
            <span>
              {event.message}
              {event.type === "policy.refused" && event.tool !== undefined && (
                <code> {event.tool}</code>
              )}
            </span>
            <button type="button" onClick={() => onTravel(event.seq)}>
              Show
              <span class="visually-hidden"> event {event.seq}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
