import type { EmittedEvent, RunBoundaryEvent } from "../../machines/contract/run-event.js"
import { sameJson } from "../../runtime/history/equal-json.js"
import type { RunExecution } from "../../runtime/run/run-execution.js"

type RunLogEvent = EmittedEvent | RunBoundaryEvent

/** Returns the events that a run has emitted, without their times. */
export function eventsOf({ log }: Pick<RunExecution, "log">): readonly RunLogEvent[] {
  const events: RunLogEvent[] = []
  for (let seq = 0; ; seq++) {
    const event = log.event(seq)
    if (event === undefined) return events
    events.push(event)
  }
}

/**
 * Returns the first event that a resumed run does not repeat, or null. The resumed run repeats all
 * events of the killed process. It may have more, because the killed process had not processed its
 * last record.
 */
export function forgottenEvent(
  killed: Pick<RunExecution, "log">,
  resumed: Pick<RunExecution, "log">,
): RunLogEvent | null {
  const after = eventsOf(resumed)
  return eventsOf(killed).find((event, index) => !sameJson(event, after[index])) ?? null
}
