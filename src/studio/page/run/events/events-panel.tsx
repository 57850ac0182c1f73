import { useMemo, useState } from "preact/hooks"
import type { RunEvent } from "../../../api.js"
import { describeEvent } from "../../../../serving/display/describe-event.js"
import type { EventGroup } from "./event-groups.js"
import { eventGroupNames, groupOf } from "./event-groups.js"
import type { StateChange } from "./state-changes.js"
import { changesByEvent } from "./state-changes.js"
import type { StreamedText } from "../follow/use-run.js"
import "./events-panel.css"

interface EventsPanelProps {
  readonly events: readonly RunEvent[]
  /** Number of events that had been emitted at the selected record. */
  readonly seen: number
  /** Texts that models are streaming now. */
  readonly streaming: readonly StreamedText[]
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  /** Called with the `seq` of an event to show the run right after it. */
  readonly onTravel: (seq: number) => void
}

/** Maximum number of events in the list. Of more events, the last ones are listed. */
const maxListed = 400

/** Maximum number of characters of a streamed text. Of a longer text, the end is shown. */
const maxStreamed = 600

/** Maximum number of characters of a text or value inside the description of an event. */
const maxQuoted = 140

const shorten = (text: string): string =>
  text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text

/** Lists the events of a run, newest last, with a search field and filters. */
export function EventsPanel({
  events,
  seen,
  streaming,
  agent,
  onAgent,
  onTravel,
}: EventsPanelProps) {
  const [query, setQuery] = useState("")
  const [hidden, setHidden] = useState<ReadonlySet<EventGroup>>(new Set())
  const [expanded, setExpanded] = useState<number | null>(null)
  const changes = useMemo(() => changesByEvent(events), [events, events.length])
  const needle = query.toLowerCase()
  const matching = events.filter(
    (event) =>
      !hidden.has(groupOf(event.type)) &&
      (agent === null || event.agent === agent) &&
      (needle === "" ||
        `${event.type} ${event.path} ${JSON.stringify(event)}`.toLowerCase().includes(needle)),
  )
  const toggle = (group: EventGroup): void =>
    setHidden(
      new Set(
        hidden.has(group) ? [...hidden].filter((name) => name !== group) : [...hidden, group],
      ),
    )
  return (
    <div class="events">
      <div class="bar">
        <input
          type="search"
          aria-label="Find events"
          placeholder="Find in events"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        {agent !== null && (
          <button type="button" onClick={() => onAgent(null)}>
            Only {agent} ×
          </button>
        )}
      </div>
      <div class="bar filters" role="group" aria-label="Kinds of events">
        {eventGroupNames.map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={!hidden.has(group)}
            onClick={() => toggle(group)}
          >
            {group}
          </button>
        ))}
      </div>
      <p class="calm">
        {matching.length === events.length
          ? `${events.length} events`
          : `${matching.length} of ${events.length} events`}
        {matching.length > maxListed && `, the last ${maxListed} shown`}
      </p>
      <ol>
        {matching.slice(-maxListed).map((event) => (
          <li
            key={event.seq}
            class={`event of-${groupOf(event.type)}${event.seq >= seen ? " is-later" : ""}`}
          >
            <button
              type="button"
              aria-expanded={expanded === event.seq}
              onClick={() => setExpanded(expanded === event.seq ? null : event.seq)}
            >
              <span class="event-type">{event.type}</span>{" "}
              <span class="event-agent">{event.path}</span>{" "}
              <span class="event-words">{describeEvent(event, shorten)}</span>
            </button>
            {expanded === event.seq && (
              <div class="event-whole">
                {event.type === "state.changed" && (
                  <Changes changes={changes.get(event.seq) ?? []} />
                )}
                <pre tabIndex={0}>{JSON.stringify(event, null, 2)}</pre>
                <button type="button" onClick={() => onTravel(event.seq)}>
                  Travel here
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {streaming
        .filter((streamed) => agent === null || streamed.agent === agent)
        .map(({ call, path, text }) => (
          <p key={call} class="saying">
            <span class="event-agent">{path}</span> {text.slice(-maxStreamed)}
          </p>
        ))}
    </div>
  )
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
