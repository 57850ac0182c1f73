import type { RunEvent } from "../../machines/contract/run-event.js"
import type { Run } from "./run.js"

/** What a run has told until now. */
export function eventsSoFar(run: Pick<Run, "events$">): readonly RunEvent[] {
  const events: RunEvent[] = []
  run.events$.subscribe((event) => void events.push(event)).unsubscribe()
  return events
}
