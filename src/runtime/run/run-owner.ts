import type { RunResult } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { EventLog } from "../events/event-log.js"
import type { MaybePromise } from "../async/maybe-promise.js"

/** The owner of a run. It keeps the events and the result of the run while the run is unloaded. */
export interface RunOwner {
  readonly log: EventLog
  /** The result of the current invocation, or of the last one. */
  invocation: Deferred<RunResult>
  /** Called when the journal has released the run. */
  readonly onReleased?: () => void
  /** Called when no call is in flight and the run waits for a person. */
  readonly onWaiting?: () => void
  /**
   * Called when an invocation of a run without a session has ended. The run continues only if it
   * receives a message. `release` releases the run in its journal.
   */
  readonly onInvocationEnded?: (release: () => MaybePromise<void>) => void
}

/** Returns an owner for a run that is never unloaded. */
export const standaloneOwner = (runId: string): RunOwner => ({
  log: new EventLog(runId),
  invocation: new Deferred(),
})
