import type { ActivityOptions } from "@temporalio/workflow"
import { ActivityCancellationType } from "@temporalio/workflow"
import type { CallLimits } from "../../../machines/model-call/call-limits.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import { activityIdOf } from "./names.js"

export interface ActivitySettings {
  /** Task queue of the activities. Default: the task queue of the workflow. */
  readonly taskQueue?: string
  /**
   * Heartbeat timeout of a worker, in milliseconds. Default 5,000. A worker notices a cancelled
   * call after about the same time.
   */
  readonly heartbeatMs?: number
  /** `defaultTimeoutMs` of the workers' services, in milliseconds. Default: 5 minutes. */
  readonly defaultTimeoutMs?: number
}

/**
 * Extra time in milliseconds for the worker to end a timed-out call itself before the server does.
 */
const graceMs = 10_000

/**
 * Activity timeout of host functions in milliseconds. They have no time limit of their own; a lost
 * worker is detected by its heartbeat.
 */
const hostMs = 365 * 24 * 3_600_000

/**
 * Maps `activityConfig` to activity options. `at` is the start time of the call.
 *
 * Retries that a config asks for are states of the chart: each attempt is a separate activity, and
 * each delay is a timer. A failed service is the result of an activity, not a failed activity.
 * Temporal therefore retries only what a lost worker left behind, with the same idempotency key,
 * and the two retry policies never multiply.
 */
export function activityOptions(
  call: LeafCall,
  at: number,
  { taskQueue, heartbeatMs = 5_000, defaultTimeoutMs = 300_000 }: ActivitySettings,
): ActivityOptions {
  // Models and tools have time limits, host functions do not.
  const { timeoutMs, deadline } = call.input as Partial<CallLimits>
  const activityId = activityIdOf(call)
  const attemptMs = timeoutMs === undefined ? hostMs : (timeoutMs ?? defaultTimeoutMs) + graceMs
  return {
    startToCloseTimeout: attemptMs,
    ...(deadline == null ? {} : { scheduleToCloseTimeout: Math.max(deadline - at, 0) + graceMs }),
    heartbeatTimeout: heartbeatMs,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 },
    ...(activityId === null ? {} : { activityId }),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  }
}
