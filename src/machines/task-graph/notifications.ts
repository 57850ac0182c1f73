import type { ChartTask } from "../contract/graphs/chart-task-graph.js"
import type { Step } from "../contract/machine-kind.js"
import type { GraphNotification, NodeRequest } from "../contract/graphs/node-service.js"
import type { Envelope } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { toObject } from "../data/session-state.js"
import type { TaskResult, TaskState } from "./task-contract.js"
import { nodeScope } from "./task-contract.js"
import type { TaskGraphContext } from "./task-graph-context.js"
import { isChild, runState } from "./task-graph-context.js"

/** Timeout of one HTTP request to the webhook, in milliseconds. */
const postTimeoutMs = 10_000

/**
 * Adds a notification to the queue for the graph's webhook. Notifications are sent one after the
 * other. Nodes do not wait for them.
 */
function notify(
  context: TaskGraphContext,
  type: GraphNotification["type"],
  data: JsonObject,
  step: Step,
): void {
  const { input, scope, at, notifications } = context
  const { runId } = input
  context.notifications = [
    ...notifications,
    { workflowId: scope.workflowId, runId, type, data, time: at },
  ]
  if (notifications.length === 0) post(context, step)
}

export const hasWebhook = (context: TaskGraphContext): boolean =>
  !isChild(context) && context.input.graph.webhookUrl !== undefined

/**
 * Sends a notification to the webhook, which reports that a node has finished or was skipped. Does
 * nothing if the graph has no webhook.
 */
export function notifyOfNode(
  context: TaskGraphContext,
  { id, type }: ChartTask,
  state: TaskState,
  result: TaskResult | null,
  step: Step,
): void {
  if (!hasWebhook(context)) return
  const { error = null, ...rest } = result ?? {}
  notify(
    context,
    "node",
    {
      nodeId: id,
      nodeType: type,
      executionState: state,
      ...(result !== null && { result: rest }),
      ...(error !== null && { error }),
    },
    step,
  )
}

/**
 * Sends a notification to the webhook, which reports that the run has ended. Does nothing if the
 * graph has no webhook.
 */
export function notifyOfEnd(context: TaskGraphContext, step: Step): void {
  if (!hasWebhook(context)) return
  const { nodes: _, ...result } = toObject(runState(context))
  const error = errorOfEnd(context)
  notify(context, "completion", { result, ...(error !== null && { error }) }, step)
}

/**
 * Returns the error for the notification at the end of a run, or null if the run completed. If the
 * run was cancelled, the type of the error is `cancelled`.
 */
function errorOfEnd({ ending, failure, stoppedBy, input }: TaskGraphContext): JsonObject | null {
  if (failure !== null) return { message: failure.message, type: failure.type }
  if (ending !== "stopped") return null
  if (stoppedBy === null)
    return { message: `the run "${input.runId}" was cancelled`, type: "cancelled" }
  const { code, message } = stoppedBy
  return { message, type: code === "limit_reached" ? "timeout" : code }
}

function post(
  { input, scope, notifications, posted, at, results }: TaskGraphContext,
  step: Step,
): void {
  const [notification] = notifications
  const { webhookUrl } = input.graph
  if (notification === undefined || webhookUrl === undefined) return
  const { runId, agent, path, branch } = input
  const request: NodeRequest = {
    runId,
    agent,
    path,
    branch,
    idempotencyKey: `${runId}/${path}!webhook#${posted}`,
    attempt: 1,
    node: agent,
    endpoint: { url: webhookUrl, method: "POST" },
    scope: nodeScope({ ...scope, results }),
    strict: false,
    startedAt: at,
    task: { type: "notify", notification },
  }
  step.start("webhook", "callNode", { request, timeoutMs: postTimeoutMs, deadline: null })
}

/**
 * Handles the response to the first notification in the queue, which was sent to the webhook. Emits
 * a warning if the request failed. Then removes the notification and sends the next notification.
 */
export function recordPost(context: TaskGraphContext, result: Envelope, step: Step): void {
  const { agent, path, branch } = context.input
  if (!result.ok)
    step.emit({
      type: "warning",
      message: `a notification to the webhook failed: ${result.error.message}`,
      agent,
      path,
      branch,
    })
  context.at = result.at
  context.notifications = context.notifications.slice(1)
  context.posted = context.posted + 1
  post(context, step)
}
