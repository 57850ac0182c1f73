import type { RunEvent } from "../../../machines/contract/run-event.js"

/**
 * Returns the duration of a run in milliseconds: the time from its start to its last event. The
 * copied events of a fork are before its start and do not count. If all events are before the
 * start, as in a run that reuses a recording, returns the time from the first to the last event.
 */
export function runDuration(startedAt: number, events: readonly RunEvent[]): number {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return 0
  return last.at - (last.at < startedAt ? first.at : startedAt)
}
