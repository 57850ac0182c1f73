import type { RunEvent } from "../../machines/contract/run-event.js"
import type { Run } from "./run.js"

/** Returns all events that a run has emitted until now. Does not wait for further events. */
export function eventsSoFar(run: Pick<Run, "events$">): readonly RunEvent[] {
  const events: RunEvent[] = []
  run.events$.subscribe((event) => void events.push(event)).unsubscribe()
  return events
}
