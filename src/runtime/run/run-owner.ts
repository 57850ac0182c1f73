import type { RunResult } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { EventLog } from "../events/event-log.js"
import type { MaybePromise } from "../async/maybe-promise.js"

/**
 * The object that owns a run. It keeps the run's event log and result, even while the run's
 * execution is unloaded from memory.
 */
export interface RunOwner {
  readonly log: EventLog
  /** Result of the current invocation. If no invocation is in progress, result of the last one. */
  invocation: Deferred<RunResult>
  /** Called when the journal has released the run. */
  readonly onReleased?: () => void
  /** Called when the run waits for a person and no call is in flight. */
  readonly onWaiting?: () => void
  /**
   * Called when an invocation of a run without a session has ended. The run then continues only
   * after a message. `release` releases the run in its journal.
   */
  readonly onInvocationEnded?: (release: () => MaybePromise<void>) => void
}

/** Returns an owner for a run that is never unloaded. */
export const standaloneOwner = (runId: string): RunOwner => ({
  log: new EventLog(runId),
  invocation: new Deferred(),
})
