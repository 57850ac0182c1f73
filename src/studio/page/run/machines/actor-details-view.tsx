import type { ActorDetails, ActorSummary } from "../../../machines-api.js"
import { useJson } from "../../client/use-json.js"
import { ErrorMessage } from "../../parts/error-message.js"
import "./actor-details-view.css"

interface ActorDetailsViewProps {
  readonly runId: string
  readonly position: number
  readonly actor: ActorSummary
  readonly onClose: () => void
}

/**
 * Component that shows the snapshot of a state machine of a run, the events that it has received,
 * and its calls that have no result yet.
 */
export function ActorDetailsView({ runId, position, actor, onClose }: ActorDetailsViewProps) {
  const query = new URLSearchParams({ at: String(position), actor: actor.id })
  const { value: details, error } = useJson<ActorDetails>(
    `/runs/${encodeURIComponent(runId)}/machines?${query}`,
  )
  return (
    <section class="actor-details" aria-label={`Machine ${actor.name}`}>
      <header>
        <h3>{actor.name}</h3>
        <button type="button" aria-label="Close the details of the machine" onClick={onClose}>
          ×
        </button>
      </header>
      <ErrorMessage text={error} />
      {details !== null && (
        <>
          <dl>
            <div>
              <dt>State</dt>
              <dd>{details.states.join(", ")}</dd>
            </div>
            <div>
              <dt>Status</dt>
              <dd>{details.status}</dd>
            </div>
            {details.waitsFor.length > 0 && (
              <div>
                <dt>Waits for</dt>
                <dd>{details.waitsFor.join(", ")}</dd>
              </div>
            )}
          </dl>
          <h4>Snapshot</h4>
          <pre tabIndex={0}>{JSON.stringify(details.snapshot, null, 2)}</pre>
          <h4>
            Mailbox{" "}
            <small>
              {details.events.length < details.received
                ? `the last ${details.events.length} of ${details.received} events`
                : `${details.received} ${details.received === 1 ? "event" : "events"}`}
            </small>
          </h4>
          <ol>
            {details.events.map(({ type, event }, index) => (
              <li key={index}>
                <details>
                  <summary>{type}</summary>
                  <pre tabIndex={0}>{JSON.stringify(event, null, 2)}</pre>
                </details>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
