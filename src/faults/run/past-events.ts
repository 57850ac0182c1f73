import type { RunExecution } from "../../runtime/run/run-execution.js"
import { sameExceptRunId } from "../environment/without-run-id.js"
import type { RunLogEvent } from "./observed-run.js"

/** Returns all events that a run has emitted, oldest first. */
export function eventsOf({ log }: Pick<RunExecution, "log">): readonly RunLogEvent[] {
  const events: RunLogEvent[] = []
  for (let seq = 0; ; seq++) {
    const event = log.event(seq)
    if (event === undefined) return events
    events.push(event)
  }
}

/** The events that a killed process had emitted, and the id of its run. */
export interface PastEvents {
  readonly runId: string
  readonly events: readonly RunLogEvent[]
}

/**
 * Returns the first event of the killed process that the resumed run does not repeat. Returns null
 * if the resumed run repeats all of them. The resumed run may have additional events, because the
 * killed process may not have processed its last journal record.
 */
export function forgottenEvent(
  killed: PastEvents,
  resumed: Pick<RunExecution, "log" | "header">,
): RunLogEvent | null {
  const { runId } = resumed.header
  const isRepeated = (event: RunLogEvent, index: number): boolean =>
    sameExceptRunId(
      { runId: killed.runId, value: event },
      { runId, value: resumed.log.event(index) },
    )
  return killed.events.find((event, index) => !isRepeated(event, index)) ?? null
}
