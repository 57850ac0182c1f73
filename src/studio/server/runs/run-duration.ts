import type { RunEvent } from "../../../machines/contract/run-event.js"

/**
 * Returns the duration of a run in milliseconds, from its start to its last event. Events that a
 * fork has copied occurred before its start and do not count. A run that reuses recorded responses
 * can have no events after its start. In this case, returns the time from the first to the last
 * event.
 */
export function runDuration(startedAt: number, events: readonly RunEvent[]): number {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return 0
  return last.at - (last.at < startedAt ? first.at : startedAt)
}
