import { useMemo, useState } from "preact/hooks"
import type { RunEvent } from "../../api.js"
import type { Group } from "./format-event.js"
import { groupOf, groups, formatEvent } from "./format-event.js"
import { changesOf } from "./state-changes.js"
import type { Said } from "./use-run.js"

interface EventsPanelProps {
  readonly events: readonly RunEvent[]
  /** How many of them had been told at the position that is looked at. */
  readonly seen: number
  /** What models are saying at the moment. */
  readonly saying: readonly Said[]
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  readonly onTravel: (seq: number) => void
}

/** As many rows as are drawn at once: of a long run the last ones, and what is sought in it. */
const most = 400

/** Of what is being said, the last so many characters are shown. */
const mostSaid = 600

/** What happened, the newest last. */
export function EventsPanel({ events, seen, saying, agent, onAgent, onTravel }: EventsPanelProps) {
  const [sought, setSought] = useState("")
  const [hidden, setHidden] = useState<ReadonlySet<Group>>(new Set())
  const [opened, setOpened] = useState<number | null>(null)
  const before = useMemo(() => changesOf(events), [events, events.length])
  const needle = sought.toLowerCase()
  const found = events.filter(
    (event) =>
      !hidden.has(groupOf(event.type)) &&
      (agent === null || event.agent === agent) &&
      (needle === "" ||
        `${event.type} ${event.path} ${JSON.stringify(event)}`.toLowerCase().includes(needle)),
  )
  const toggle = (group: Group): void =>
    setHidden(
      new Set(hidden.has(group) ? [...hidden].filter((one) => one !== group) : [...hidden, group]),
    )
  return (
    <div class="events">
      <div class="bar">
        <input
          type="search"
          aria-label="Find events"
          placeholder="Find in events"
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
        {agent !== null && (
          <button type="button" onClick={() => onAgent(null)}>
            Only {agent} ×
          </button>
        )}
      </div>
      <div class="bar filters" role="group" aria-label="Kinds of events">
        {(Object.keys(groups) as Group[]).map((group) => (
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
        {found.length === events.length
          ? `${events.length} events`
          : `${found.length} of ${events.length} events`}
        {found.length > most && `, the last ${most} shown`}
      </p>
      <ol>
        {found.slice(-most).map((event) => (
          <li
            key={event.seq}
            class={`event of-${groupOf(event.type)}${event.seq >= seen ? " is-later" : ""}`}
          >
            <button
              type="button"
              aria-expanded={opened === event.seq}
              onClick={() => setOpened(opened === event.seq ? null : event.seq)}
            >
              <span class="event-type">{event.type}</span>{" "}
              <span class="event-agent">{event.path}</span>{" "}
              <span class="event-words">{formatEvent(event)}</span>
            </button>
            {opened === event.seq && (
              <div class="event-whole">
                {event.type === "state.changed" && (
                  <Changes changes={before.get(event.seq) ?? []} />
                )}
                <pre tabIndex={0}>{JSON.stringify(event, null, 2)}</pre>
                <button type="button" onClick={() => onTravel(event.seq)}>
                  TimeTravel here
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {saying
        .filter((said) => agent === null || said.agent === agent)
        .map(({ call, path, text }) => (
          <p key={call} class="saying">
            <span class="event-agent">{path}</span> {text.slice(-mostSaid)}
          </p>
        ))}
    </div>
  )
}

function Changes({
  changes,
}: {
  readonly changes: ReturnType<typeof changesOf> extends ReadonlyMap<number, infer Each>
    ? Each
    : never
}) {
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
