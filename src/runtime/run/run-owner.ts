import type { RunResult } from "../../machines/contract/run-event.js"
import { Deferred } from "../async/deferred.js"
import { EventLog } from "../events/event-log.js"
import type { MaybePromise } from "../async/maybe-promise.js"

/**
 * Owner of a run. It keeps the event log and the result of the run, even while the execution of the
 * run is unloaded from memory.
 */
export interface RunOwner {
  readonly log: EventLog
  /**
   * Result of the current invocation. If no invocation is in progress, result of the last
   * invocation.
   */
  invocation: Deferred<RunResult>
  /** Called when the journal has released the run, so that other processes can resume it. */
  readonly onReleased?: () => void
  /** Called when the run waits for a person and no call is in flight. */
  readonly onWaiting?: () => void
  /**
   * Called when an invocation of a run without a session has ended. The run then continues only
   * after a message. `release` ends the ownership of the run in the journal, so that other
   * processes can resume it.
   */
  readonly onInvocationEnded?: (release: () => MaybePromise<void>) => void
}

/**
 * Returns an owner for a run that is executed without a runner. The run is never unloaded from
 * memory, so the owner has no callbacks.
 */
export const standaloneOwner = (runId: string): RunOwner => ({
  log: new EventLog(runId),
  invocation: new Deferred(),
})
