import type { RunResult } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { EventLog } from "../events/event-log.js"
import type { Ready } from "../async/when-ready.js"

/** What others hold on to of a run: it stays the same while the rest of the run is put aside and brought back. */
export interface SharedRunState {
  readonly log: EventLog
  /** The invocation that is under way, or the last one. */
  invocation: Deferred<RunResult>
  /** Called when the journal has let go of the run. */
  readonly isLeft?: () => void
  /** Called when nothing is in flight and the run waits for a person. */
  readonly rested?: () => void
  /** Called when its invocation is over and it stands alone: nothing comes of it any more unless it is told something. `leave` lets go of its journal. */
  readonly isDone?: (leave: () => Ready<void>) => void
}

export const createSharedRunState = (runId: string): SharedRunState => ({
  log: new EventLog(runId),
  invocation: new Deferred(),
})
