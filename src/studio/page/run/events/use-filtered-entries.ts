import { useEffect, useMemo, useState } from "preact/hooks"
import type { EventGroup } from "../folds/event-groups.js"
import { groupOf } from "../folds/event-groups.js"
import type { LogEntry, RunLog } from "../folds/run-log.js"
import { FilteredEntries } from "./filtered-entries.js"

/** The filter of the event list. */
export interface EntryFilter {
  readonly agent: string | null
  readonly hidden: ReadonlySet<EventGroup>
  /**
   * Text to search for. Only entries with an event that contains it are shown. If it is empty, all
   * entries are shown.
   */
  readonly query: string
}

/** Maximum time in milliseconds that each animation frame spends on testing entries. */
const frameBudget = 8

/**
 * Returns the entries that match a filter. For a long run, the search continues in later animation
 * frames, and each frame updates the result.
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
