import type { RunResult } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { EventLog } from "../events/event-log.js"
import type { Ready } from "../async/when-ready.js"

/** The state of a run that stays in memory while the run is unloaded and reloaded. */
export interface SharedRunState {
  readonly log: EventLog
  /** The current invocation, or the last one. */
  invocation: Deferred<RunResult>
  /** Called when the journal has released the run. */
  readonly onReleased?: () => void
  /** Called when no call is in flight and the run waits for a person. */
  readonly onIdle?: () => void
  /**
   * Called when an invocation of a run without a session has ended. The run continues only if it
   * receives a message. `release` releases the run in its journal.
   */
  readonly onInvocationEnded?: (release: () => Ready<void>) => void
}

export const createSharedRunState = (runId: string): SharedRunState => ({
  log: new EventLog(runId),
  invocation: new Deferred(),
})
