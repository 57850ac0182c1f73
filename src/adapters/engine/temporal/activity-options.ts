import type { ActivityOptions } from "@temporalio/workflow"
import { ActivityCancellationType } from "@temporalio/workflow"
import type { CallLimits } from "../../../machines/model-call/retry-policy.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import { activityIdOf } from "./names.js"

export interface ActivitySettings {
  /** Task queue of the activities. Default: the task queue of the workflow. */
  readonly taskQueue?: string
  /**
   * Heartbeat timeout of an activity, in milliseconds. A worker notices that a call was cancelled
   * after about this time. Default: 5,000.
   */
  readonly heartbeatMs?: number
  /**
   * Default timeout of calls, in milliseconds. If you set `defaultTimeoutMs` in the services of the
   * workers, set the same value here. Default: 300,000 (five minutes).
   */
  readonly defaultTimeoutMs?: number
}

/**
 * Time in milliseconds that is added to the timeouts of Temporal activities. It ensures that the
 * worker ends a timed-out call before the Temporal server does.
 */
const graceMs = 10_000

/**
 * Timeout of the activities that execute host functions (functions that you register), in
 * milliseconds. The value is one year. Temporal requires a timeout, although host functions have no
 * time limit. Temporal detects the failure of a worker by its missing heartbeat.
 */
const hostMs = 365 * 24 * 3_600_000

/**
 * Returns the Temporal options for the activity that executes a call. `at` is the start time of the
 * call, in milliseconds since the epoch.
 *
 * The statechart of the workflow controls retries. Each attempt is a separate activity, and each
 * delay is a timer. If a call fails, its activity succeeds and returns the failure, so Temporal
 * does not retry it. Temporal repeats an activity only if its worker was lost. The repeated call
 * has the same idempotency key.
 */
export function activityOptions(
  call: LeafCall,
  at: number,
  { taskQueue, heartbeatMs = 5_000, defaultTimeoutMs = 300_000 }: ActivitySettings,
): ActivityOptions {
  // Model calls and tool calls have time limits. Host functions have none.
  const { timeoutMs, deadline } = call.input as Partial<CallLimits>
  const activityId = activityIdOf(call)
  const attemptMs = timeoutMs === undefined ? hostMs : (timeoutMs ?? defaultTimeoutMs) + graceMs
  return {
    startToCloseTimeout: attemptMs,
    ...(deadline != null && { scheduleToCloseTimeout: Math.max(deadline - at, 0) + graceMs }),
    heartbeatTimeout: heartbeatMs,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 },
    ...(activityId !== null && { activityId }),
    ...(taskQueue !== undefined && { taskQueue }),
  }
}
