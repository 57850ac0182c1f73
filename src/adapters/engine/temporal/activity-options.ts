import type { ActivityOptions } from "@temporalio/workflow"
import { ActivityCancellationType } from "@temporalio/workflow"
import type { CallLimits } from "../../../machines/model-call/call-limits.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import { activityIdOf } from "./names.js"

export interface ActivitySettings {
  /** Where activities are carried out; the task queue of the workflow unless given. */
  readonly taskQueue?: string
  /** After how long without a sign of life a worker counts as gone, in milliseconds; 5 seconds unless given. A worker learns of a cancelled call about as late. */
  readonly heartbeatMs?: number
  /** `defaultTimeoutMs` of the workers' services, in milliseconds; 5 minutes unless given. */
  readonly defaultTimeoutMs?: number
}

/** The worker ends a call in time and says so; the server does it only when the worker does not. */
const graceMs = 10_000

/** Host code has no time limit of its own. A worker that is lost shows by its heartbeat. */
const hostMs = 365 * 24 * 3_600_000

/**
 * `activityConfig` as options of an activity. `at` is when the call was begun.
 *
 * Retries that the config asks for are states of the chart: each attempt is an activity of its own, and a pause is a timer. A
 * service that fails is no failed activity but its result. So what Temporal tries again is only what a lost worker has left
 * behind, with the same idempotency key, and the two policies never multiply.
 */
export function activityOptions(
  call: LeafCall,
  at: number,
  { taskQueue, heartbeatMs = 5_000, defaultTimeoutMs = 300_000 }: ActivitySettings,
): ActivityOptions {
  // Models and tools have limits, host code has none.
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
