import { linksOf } from "../data/linked-list.js"
import type { Step } from "../contract/machine-kind.js"
import type { CallFailure } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { allEntries, readKey, writeKey } from "../data/session-state.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import { resultOfFailure } from "./task-failure.js"
import type { ChildAttempt, EndedChild, LoopTaskContext } from "./loop-context.js"
import { workflowIdOf } from "./loop-context.js"
import type { TaskResult } from "./task-contract.js"
import { taskLocation } from "./task-contract.js"
import type { ChildFailure, ChildWorkflowInput, TaskGraphOutput } from "./task-graph-context.js"

type Context = LoopTaskContext

/**
 * Starts the child workflows of the next items, in order, until `concurrency` child workflows are
 * active.
 */
export function startChildren(context: Context, step: Step): void {
  const { loop, items } = context
  const room = loop.concurrency ?? items.length
  while (
    context.stoppedBy === null &&
    !context.isRunEnding &&
    context.active < room &&
    context.next < items.length
  ) {
    const index = context.next
    context.next = index + 1
    context.active = context.active + 1
    startChild(context, index, 1, step)
  }
}

function startChild(context: Context, index: number, attempt: number, step: Step): void {
  const { input, loop, items, at } = context
  const { task, scope, branch } = input
  const row = { index, data: items[index] }
  const child: ChildWorkflowInput = {
    runId: input.runId,
    agent: task.id,
    path: `${input.path}[${index}]${attempt === 1 ? "" : `~${attempt}`}`,
    branch: `${branch === null ? "" : `${branch}.`}${task.id}.${index}`,
    at,
    graph: loop.body,
    scope: {
      ...scope,
      row,
      rows: { ...scope.rows, [task.id]: row },
      workflowId: workflowIdOf(context, index),
    },
    timeoutMs: loop.timeoutMs ?? null,
  }
  step.start(`child.${index}`, "taskGraph", child)
}

// Only `scheduleAttempt` writes to `attempts`, so every entry is a `ChildAttempt`.
const attemptOf = ({ attempts }: Context, index: number): ChildAttempt | undefined =>
  readKey(attempts, String(index)) as ChildAttempt | undefined

/**
 * Starts the next attempt of a failed child workflow after the delay of the retry. `time` is the
 * end of the delay, in milliseconds since the epoch.
 */
export function startNextAttempt(context: Context, index: number, time: number, step: Step): void {
  const attempt = attemptOf(context, index)
  if (attempt === undefined) return
  context.at = time
  context.attempts = writeKey(context.attempts, String(index), { ...attempt, isWaiting: false })
  startChild(context, index, attempt.number, step)
}

/**
 * Records the output of an item's child workflow. If the workflow has failed and the settings of
 * the loop do not allow this failure, stops the other child workflows.
 */
export function recordChild(
  context: Context,
  index: number,
  { signal, results, failure, at }: TaskGraphOutput,
  step: Step,
): void {
  context.at = at
  if (signal === "failed") {
    if (context.stoppedBy === null && scheduleAttempt(context, index, results, failure, step))
      return
    const failed: EndedChild = { index, status: "failed", results, failure }
    endChild(context, failed)
    context.failures = context.failures + 1
    if (context.stoppedBy === null && !isTolerated(context)) stopChildren(context, failed, step)
    return
  }
  const wasStopped = signal === "stopped"
  endChild(context, { index, status: wasStopped ? "cancelled" : "completed", results, failure })
  // If the loop has not failed, a child is only stopped because the whole run ends.
  if (wasStopped && context.stoppedBy === null) context.isRunEnding = true
}

/**
 * Returns whether the loop continues despite the child workflows that have failed so far. A
 * source_iterator always continues, because its items are independent.
 */
const isTolerated = ({ loop, failures }: Context): boolean =>
  loop.items === undefined ||
  (loop.continueOnError === true && failures <= (loop.maxFailures ?? Number.POSITIVE_INFINITY))

function endChild(context: Context, ended: EndedChild): void {
  context.ended = { link: ended, before: context.ended }
  context.active = context.active - 1
}

/**
 * Schedules the next attempt of a failed child workflow. Returns false if there is no further
 * attempt.
 */
function scheduleAttempt(
  context: Context,
  index: number,
  results: JsonObject,
  failure: ChildFailure | null,
  step: Step,
): boolean {
  const { retry } = context.loop
  if (retry === undefined) return false
  const { number, since } = attemptOf(context, index) ?? { number: 1, since: context.at }
  const error: CallFailure = {
    code: "node_failed",
    message: failure?.message ?? "the child workflow failed",
    retryable: true,
  }
  const until = nextAttemptAt(retry, number, since, error, context.at)
  if (until === null) return false
  const attempt: ChildAttempt = { number: number + 1, since, isWaiting: true, results }
  context.attempts = writeKey(context.attempts, String(index), attempt)
  step.start(`pause.${index}`, "sleepUntil", { until })
  step.emit({
    type: "retry.scheduled",
    of: workflowIdOf(context, index),
    attempt: attempt.number,
    until,
    error,
    ...taskLocation(context.input),
  })
  return true
}

/** Stops all other child workflows after one has failed. Their results so far are kept. */
function stopChildren(context: Context, failed: EndedChild, step: Step): void {
  context.stoppedBy = failed
  for (const [key, attempt] of Object.entries(allEntries(context.attempts))) {
    const { isWaiting, results } = attempt as ChildAttempt
    if (!isWaiting) continue
    step.stop(`pause.${key}`)
    endChild(context, { index: Number(key), status: "cancelled", results, failure: null })
  }
  const ended = new Set(linksOf(context.ended).map(({ index }) => index))
  for (let index = 0; index < context.next; index++)
    if (!ended.has(index)) step.interrupt(`child.${index}`, context.at)
}

/** Sets the result of the loop, with one entry for each item, in the order of the items. */
export function collectChildren(context: Context): void {
  const { items, raw, stoppedBy, input } = context
  const ended = new Map(linksOf(context.ended).map((child) => [child.index, child]))
  const entries = items.map((data, index) => {
    const { status = "cancelled", results = {}, failure = null } = ended.get(index) ?? {}
    return {
      index,
      status,
      childWorkflowId: workflowIdOf(context, index),
      data,
      results,
      ...(failure !== null && { error: failure }),
    }
  })
  const failedItems = entries.flatMap(({ index, error }) =>
    error === undefined ? [] : [{ index, error }],
  )
  const result: TaskResult = {
    data: { totalItems: items.length, items: entries, failedItems },
    statusCode: stoppedBy !== null ? 500 : failedItems.length > 0 ? 207 : 200,
    headers: {},
    ...(raw !== undefined && { _rawData: raw }),
  }
  context.result =
    stoppedBy === null
      ? result
      : resultOfFailure(
          "child_failed",
          `the ${input.task.type} node "${input.task.id}" failed at item ${stoppedBy.index}: ${stoppedBy.failure?.message ?? "the child failed"}`,
          result,
        )
}
