import type { ChartTask } from "../contract/graphs/chart-task-graph.js"
import type { Step } from "../contract/machine-kind.js"
import { writeKey } from "../data/session-state.js"
import { notifyOfNode } from "./notifications.js"
import type { ErrorContext } from "../contract/graphs/node-service.js"
import type { TaskInput, TaskOutput, TaskResult } from "./task-contract.js"
import type { TaskGraphContext } from "./task-graph-context.js"
import {
  changeProgress,
  locationOfTask,
  pathOfTask,
  progressOf,
  taskAt,
} from "./task-graph-context.js"
import type { TaskProgress } from "./task-progress.js"
import { failedDependency, taskEdges, whySkipped } from "./task-progress.js"

/** Names of the machines that run the nodes, by node type. An endForEach node needs no machine. */
const machines: Readonly<Record<Exclude<ChartTask["type"], "endForEach">, string>> = {
  http: "httpTask",
  destination: "httpTask",
  error_boundary: "httpTask",
  adk: "adkTask",
  forEach: "loopTask",
  source_iterator: "loopTask",
  confirmation: "confirmationTask",
}

/**
 * Starts or skips the nodes in `ready`, in the order of the nodes. All of their dependencies have
 * ended or were skipped. A node is skipped, for example, because a dependency failed.
 */
export function startTasks(context: TaskGraphContext, ready: readonly number[], step: Step): void {
  const open = new Set(ready)
  while (open.size > 0 && context.ending === null) {
    const node = Math.min(...open)
    open.delete(node)
    if (progressOf(context, node).state !== "pending") continue
    for (const next of startTask(context, node, step)) open.add(next)
  }
}

/**
 * Starts or skips a node. If the node was skipped or ended immediately, returns the nodes that were
 * only waiting for it. If the node is running, returns an empty list.
 */
function startTask(context: TaskGraphContext, node: number, step: Step): readonly number[] {
  const task = taskAt(context, node)
  const handled = context.handled[node]
  const reason = handled === undefined ? whySkipped(task, progressOf(context, node)) : null
  const location = locationOfTask(context, task)
  if (reason !== null) {
    step.emit({ type: "node.skipped", node: task.id, reason, ...location })
    changeProgress(context, node, { state: "skipped" })
    notifyOfNode(context, task, "skipped", null, step)
    return settle(context, node, { isFailure: reason === failedDependency, skipped: true })
  }
  step.emit({ type: "node.started", node: task.id, ...location })
  if (task.type === "endForEach") {
    finishTask(context, node, "executed", null, step)
    return settle(context, node, { isFailure: false, skipped: false })
  }
  changeProgress(context, node, { state: "running" })
  context.running = context.running + 1
  const { input, scope, at, results } = context
  const taskInput: TaskInput = {
    runId: input.runId,
    path: pathOfTask(context, task),
    branch: input.branch,
    at,
    task,
    scope: { ...scope, results },
    ...(handled !== undefined && { handles: failureFor(handled, at) }),
  }
  step.start(`node.${node}`, machines[task.type], taskInput)
  return []
}

const failureFor = (
  { node, message }: { readonly node: string; readonly message: string },
  at: number,
): ErrorContext => ({
  message,
  failedNodeId: node,
  timestamp: at,
})

function finishTask(
  context: TaskGraphContext,
  node: number,
  state: "executed" | "executed_and_failed",
  result: TaskResult | null,
  step: Step,
): void {
  const task = taskAt(context, node)
  changeProgress(context, node, { state, isPaused: false })
  context.executed = { link: task.id, before: context.executed }
  if (result !== null) context.results = writeKey(context.results, task.id, result)
  step.emit({
    type: "node.finished",
    node: task.id,
    state,
    ...(result !== null && { result: { ...result } }),
    ...locationOfTask(context, task),
  })
  notifyOfNode(context, task, state, result, step)
}

/**
 * Records the output of a finished node of the graph, and starts the nodes that were only waiting
 * for this node.
 */
export function recordTask(
  context: TaskGraphContext,
  node: number,
  output: TaskOutput,
  step: Step,
): void {
  const { isPaused } = progressOf(context, node)
  context.at = output.at
  context.running = context.running - 1
  if (isPaused) context.pausedNodes = context.pausedNodes - 1
  if (output.signal === "stopped") {
    changeProgress(context, node, { state: "terminated", isPaused: false })
    return
  }
  const task = taskAt(context, node)
  const failed = output.signal === "failed"
  const result =
    failed && task.type === "error_boundary" ? ofBoundary(context, node, output) : output.result
  finishTask(context, node, failed ? "executed_and_failed" : "executed", result, step)
  if (task.type === "adk" && !failed && node >= (context.text?.node ?? -1))
    context.text = { node, text: output.text }
  if (output.terminates) {
    context.ending = "terminated"
    return
  }
  const started = failed ? catchFailure(context, node, result) : []
  if (context.ending !== null) return
  notChosen(context, node, output.chosen)
  const ready = settle(context, node, { isFailure: failed, skipped: false })
  startTasks(context, [...started, ...ready], step)
}

/**
 * Returns the result of an error_boundary node that failed. The error message also names the node
 * whose failure it handled.
 */
function ofBoundary(context: TaskGraphContext, node: number, { result }: TaskOutput): TaskResult {
  const { id } = taskAt(context, node)
  const message = `the error boundary "${id}" failed while it handled the failure of "${context.handled[node]?.node ?? ""}": ${result?.error?.message ?? ""}`
  return { ...(result ?? { data: null }), error: { message, type: "boundary_failed" } }
}

/**
 * Passes the failure of a node to the error_boundary node that handles it. Returns this
 * error_boundary if it must start now. If no error_boundary handles the failure, ends the graph as
 * failed.
 */
function catchFailure(
  context: TaskGraphContext,
  node: number,
  result: TaskResult | null,
): readonly number[] {
  const { id } = taskAt(context, node)
  const error = result?.error ?? { message: `the node "${id}" failed`, type: "http_error" }
  const catcher = taskEdges(context.input.graph).catchers[node] ?? null
  if (catcher === null) {
    context.ending = "failed"
    context.failure = {
      message: error.message.includes(`"${id}"`)
        ? error.message
        : `the node "${id}" failed: ${error.message}`,
      type: error.type,
      nodeId: id,
    }
    return []
  }
  if (context.handled[catcher] !== undefined) return []
  context.handled = { ...context.handled, [catcher]: { node: id, message: error.message } }
  return [catcher]
}

/**
 * Marks the nodes to which a finished node does not continue. An entry of the node's `continueTo`
 * contains a target node and a condition. A target is marked if the conditions of all entries for
 * this target are false.
 */
function notChosen(context: TaskGraphContext, node: number, chosen: readonly boolean[]): void {
  const entries = taskAt(context, node).continueTo ?? []
  const running = new Set(entries.filter((_, index) => chosen[index] === true).map(({ to }) => to))
  for (const { to } of entries)
    if (!running.has(to)) changeProgress(context, to, { isNotChosen: true })
}

/**
 * Updates the nodes that wait for a node after it has ended or was skipped. These are its
 * dependents and the error_boundary nodes that protect it. Returns the nodes that no longer wait
 * for any node. `isFailure` is true if the node failed, or was skipped because of a failure.
 */
function settle(
  context: TaskGraphContext,
  node: number,
  { isFailure, skipped }: { readonly isFailure: boolean; readonly skipped: boolean },
): readonly number[] {
  const { dependents, boundaries } = taskEdges(context.input.graph)
  const ready: number[] = []
  const all = [...context.progress]
  const count = (next: number, changes: Partial<TaskProgress>): void => {
    const before = all[next] as TaskProgress
    const awaited = before.awaited - 1
    all[next] = { ...before, ...changes, awaited }
    if (awaited === 0) ready.push(next)
  }
  const changes = {
    ...(isFailure && { hasFailedDependency: true }),
    ...(!skipped && { hasExecutedDependency: true }),
  }
  for (const next of dependents[node] ?? []) count(next, changes)
  for (const boundary of boundaries[node] ?? []) count(boundary, {})
  context.unsettled = context.unsettled - 1
  context.progress = all
  return ready
}
