import { useEffect, useRef, useState } from "preact/hooks"
import { durationText, offsetText } from "../../parts/duration.js"
import { VirtualList } from "../../parts/virtual-list.js"
import { AgentFilter } from "../agents/agent-filter.js"
import { EntryDetails } from "../details/entry-details.js"
import type { EventGroup } from "../folds/event-groups.js"
import { eventGroupNames, groupOf } from "../folds/event-groups.js"
import type { RunFolds } from "../folds/run-folds.js"
import type { LogEntry } from "../folds/run-log.js"
import type { StreamedText } from "../follow/use-run.js"
import { describeEntry } from "./describe-entry.js"
import "./events-panel.css"
import type { EventWindow } from "./use-event-window.js"
import { useEventWindow } from "./use-event-window.js"
import { useFilteredEntries } from "./use-filtered-entries.js"
import { SearchInput } from "../../parts/search-input.js"

interface EventsPanelProps {
  readonly runId: string
  readonly folds: RunFolds
  /** Number of events that the run had emitted at the selected position. */
  readonly seen: number
  /** The texts of model responses that are being streamed. */
  readonly streaming: readonly StreamedText[]
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  /**
   * The `seq` of the selected entry of the event list, whose details are shown. Null if no entry is
   * selected.
   */
  readonly selected: number | null
  readonly onSelect: (entry: number | null) => void
  /**
   * Called when the user wants to see the run directly after an event. `seq` is the number of the
   * event.
   */
  readonly onTravel: (seq: number) => void
  /**
   * Called when the user wants to fork the run directly after an event. `seq` is the number of the
   * event.
   */
  readonly onFork: (seq: number) => void
}

/**
 * Maximum number of characters of a streamed text that are shown. If a text is longer, only its end
 * is shown.
 */
const maxStreamed = 600

/** Height of a row of the event list in pixels. */
const rowHeight = 44

/**
 * Component that lists the events of a run, newest last, with a search field and filters. A call
 * and its response are one row. The details of the selected row are shown below the list.
 */
export function EventsPanel({
  runId,
  folds: live,
  seen,
  streaming,
  agent,
  onAgent,
  selected,
  onSelect,
  onTravel,
  onFork,
}: EventsPanelProps) {
  const [query, setQuery] = useState("")
  const [hidden, setHidden] = useState<ReadonlySet<EventGroup>>(new Set())
  const [isFollowing, setFollowing] = useState(true)
  const list = useRef<HTMLDivElement>(null)
  const window = useEventWindow(runId, live)
  const folds = window.folds ?? live
  const { log, first, end } = folds
  const filtered = useFilteredEntries(log, { agent, hidden, query })
  const { indexes } = filtered
  const selectedEntry = selected === null ? undefined : log.find(selected)
  const startedAt = live.lanes.range?.start ?? 0
  // The timeline and the result can select an entry that is not in the list.
  useEffect(() => {
    if (selected !== null && selectedEntry === undefined) window.show({ around: selected })
  }, [selected])
  const entryAt = (position: number): LogEntry | undefined => log.entryAt(indexes[position] ?? -1)
  useEffect(() => {
    if (seen < live.first && (seen < first || seen > end)) window.show({ around: seen })
  }, [seen])
  const toggle = (group: EventGroup): void =>
    setHidden(
      new Set(
        hidden.has(group) ? [...hidden].filter((name) => name !== group) : [...hidden, group],
      ),
    )
  return (
    <div class="events">
      <div class="bar">
        <SearchInput
          label="Find events"
          placeholder="Find in events"
          value={query}
          onChange={setQuery}
        />
        <span class="calm event-count">
          {indexes.length === log.entries.length
            ? `${folds.events.length} events`
            : `${indexes.length} of ${log.entries.length} rows`}
        </span>
      </div>
      {live.first > 0 && <EventRange live={live} window={window} onFollow={setFollowing} />}
      {agent !== null && (
        <AgentFilter
          agent={agent}
          hides="The events of other agents are hidden."
          onClear={() => onAgent(null)}
        />
      )}
      <div class="bar filters" role="group" aria-label="Kinds of events">
        {eventGroupNames.map((group) => (
          <button
            key={group}
            type="button"
            class={`chip of-${group}`}
            aria-pressed={!hidden.has(group)}
            onClick={() => toggle(group)}
          >
            {group}
          </button>
        ))}
      </div>
      <div class="event-list" ref={list}>
        <VirtualList
          key={window.folds?.first ?? "latest"}
          label="Events"
          count={indexes.length}
          rowHeight={rowHeight}
          selected={selectedEntry === undefined ? null : filtered.positionOf(selectedEntry.index)}
          onSelect={(position) => (setFollowing(false), onSelect(entryAt(position)?.seq ?? null))}
          isFollowing={isFollowing}
          onFollow={setFollowing}
          renderRow={(position) => {
            const entry = entryAt(position)
            return entry === undefined ? null : (
              <EntryRow entry={entry} startedAt={startedAt} seen={seen} />
            )
          }}
        />
        {!isFollowing && (
          <button
            type="button"
            class="to-tail"
            aria-label="Follow the latest events"
            title="Follow the latest events"
            onClick={() => (window.close(), onSelect(null), setFollowing(true))}
          >
            ↓
          </button>
        )}
      </div>
      {streaming
        .filter((streamed) => agent === null || streamed.agent === agent)
        .map(({ call, path, text }) => (
          <p key={call} class="saying">
            <span class="event-agent">{path}</span> {text.slice(-maxStreamed)}
          </p>
        ))}
      {selectedEntry !== undefined && (
        <EntryDetails
          key={selectedEntry.seq}
          runId={runId}
          entry={selectedEntry}
          text={describeEntry(selectedEntry)}
          changes={folds.state.of(selectedEntry.events[0]?.seq ?? -1)}
          onTravel={onTravel}
          onFork={onFork}
          onClose={() => {
            onSelect(null)
            list.current?.querySelector<HTMLElement>("[role=listbox]")?.focus()
          }}
        />
      )}
    </div>
  )
}

interface EventRangeProps {
  /** The data that the page has computed from the latest events of the run. */
  readonly live: RunFolds
  readonly window: EventWindow
  /**
   * Called when the user requests another range of events, before the range is loaded. If
   * `isFollowing` is true, the list scrolls to its end after the range is loaded.
   */
  readonly onFollow: (isFollowing: boolean) => void
}

/**
 * Component that shows which events of a long run the list contains, with buttons that load earlier
 * and later events.
 */
function EventRange({ live, window, onFollow }: EventRangeProps) {
  const { first, end } = window.folds ?? live
  const number = (count: number): string => count.toLocaleString("en")
  return (
    <div class="bar event-range" role="group" aria-label="Range of events">
      <span role="status" class="calm">
        {window.isLoading
          ? "Loading events…"
          : `Events ${number(first + 1)} to ${number(end)} of ${number(live.end)}`}
      </span>
      <button
        type="button"
        disabled={first === 0 || window.isLoading}
        onClick={() => (onFollow(true), window.show({ before: first }))}
      >
        Earlier events
      </button>
      {window.folds !== null && (
        <>
          <button
            type="button"
            disabled={window.isLoading}
            onClick={() => (onFollow(false), window.show({ from: end }))}
          >
            Later events
          </button>
          <button type="button" onClick={() => (onFollow(true), window.close())}>
            Latest events
          </button>
        </>
      )}
    </div>
  )
}

interface EntryRowProps {
  readonly entry: LogEntry
  readonly startedAt: number
  readonly seen: number
}

function EntryRow({ entry, startedAt, seen }: EntryRowProps) {
  const [first] = entry.events
  if (first === undefined) return null
  const { title, text } = describeEntry(entry)
  const { call } = entry
  return (
    <div
      class={`event of-${groupOf(first.type)}${first.seq >= seen ? " is-later" : ""}${
        call?.error == null && !isFailure(entry) ? "" : " is-failed"
      }`}
    >
      <span class="event-time" title={new Date(first.at).toLocaleString()}>
        {offsetText(first.at - startedAt)}
      </span>
      <span class="event-title">
        <span class="event-type">{title}</span>{" "}
        <span class="event-agent" title={first.path}>
          {first.agent}
        </span>
      </span>
      <span class="event-duration">
        {call !== null && (call.end === null ? "…" : durationText(call.end - call.start))}
      </span>
      <span class="event-words">
        {call !== null && call.attempts > 1 && <small>{call.attempts} attempts · </small>}
        {text}
      </span>
    </div>
  )
}

const isFailure = ({ events: [first] }: LogEntry): boolean =>
  (first?.type === "agent.finished" && first.outcome === "failed") ||
  (first?.type === "run.finished" && first.result.error !== null)
