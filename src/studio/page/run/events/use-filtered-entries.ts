import { useEffect, useMemo, useState } from "preact/hooks"
import type { EventGroup } from "../folds/event-groups.js"
import { groupOf } from "../folds/event-groups.js"
import type { LogEntry, RunLog } from "../folds/run-log.js"
import { FilteredEntries } from "./filtered-entries.js"

/**
 * The criteria that select entries of the event list. `agent` selects one agent, and `hidden`
 * contains the groups of event types to hide.
 */
export interface EntryFilter {
  readonly agent: string | null
  readonly hidden: ReadonlySet<EventGroup>
  /**
   * Text that the events of an entry must contain, ignoring case. If it is empty, all entries
   * match.
   */
  readonly query: string
}

/**
 * Maximum time in milliseconds that one animation frame spends on testing entries of the event
 * list.
 */
const frameBudget = 8

/**
 * Hook that returns the entries that match a filter. For a long run, the search continues in later
 * animation frames, and each frame updates the result.
 */
export function useFilteredEntries(
  log: RunLog,
  { agent, hidden, query }: EntryFilter,
): FilteredEntries {
  const filtered = useMemo(() => {
    const needle = query.toLowerCase()
    const matches = ({ events: [first, ...rest] }: LogEntry): boolean =>
      first !== undefined &&
      !hidden.has(groupOf(first.type)) &&
      (agent === null || first.agent === agent) &&
      (needle === "" ||
        [first, ...rest].some((event) => JSON.stringify(event).toLowerCase().includes(needle)))
    return new FilteredEntries(log, matches)
  }, [log, agent, hidden, query])
  const [, setFrames] = useState(0)
  const isComplete = filtered.advance(frameBudget)
  useEffect(() => {
    if (isComplete) return
    const frame = requestAnimationFrame(() => setFrames((count) => count + 1))
    return () => cancelAnimationFrame(frame)
  })
  return filtered
}
