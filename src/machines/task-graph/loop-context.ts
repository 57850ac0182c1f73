import type { ChartLoop } from "../contract/graphs/chart-task-graph.js"
import type { LinkedList } from "../data/linked-list.js"
import type { Step } from "../contract/machine-kind.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import type { TaskInput, TaskResult, TaskSignal } from "./task-contract.js"
import type { ChildFailure } from "./task-graph-context.js"

/**
 * Context of a loop node in a Graph Compose graph. The loop runs a child workflow for each item.
 * The context contains the items and the progress of the child workflows.
 */
export interface LoopTaskContext {
  readonly input: TaskInput
  readonly loop: ChartLoop
  at: number
  items: readonly unknown[]
  /** The data of a source_iterator's HTTP response, which contains the items. */
  raw: unknown
  /** Index of the next item whose child workflow has not started. */
  next: number
  /** Number of child workflows that run or wait for their next attempt. */
  active: number
  pausedChildren: number
  paused: boolean
  ended: LinkedList<EndedChild> | null
  failures: number
  /**
   * The scheduled retries of failed child workflows. Each key is the index of an item, and each
   * value is a {@link ChildAttempt}. The type `SessionState` is used because a write to a large
   * state is fast.
   */
  attempts: SessionState
  /** The failed child workflow that ended the loop. null if no failure has ended the loop. */
  stoppedBy: EndedChild | null
  /** Whether child workflows were stopped because the run is ending. */
  isRunEnding: boolean
  result: TaskResult | null
  signal: TaskSignal
}

export interface EndedChild {
  readonly index: number
  readonly status: "completed" | "failed" | "cancelled"
  readonly results: JsonObject
  readonly failure: ChildFailure | null
}

/** The next attempt of a failed child workflow. */
export interface ChildAttempt {
  /** Number of the attempt. The first retry has the number 2. */
  readonly number: number
  /** Time at which the first attempt failed, in milliseconds since the epoch. */
  readonly since: number
  /** Whether the attempt has not started yet because of the retry delay. */
  readonly isWaiting: boolean
  /** Results of the nodes in the failed attempt, by node id. */
  readonly results: JsonObject
}

/** Returns the id of an item's child workflow, such as `r1-forEach-orders-0`. */
export const workflowIdOf = ({ input, loop }: LoopTaskContext, index: number): string =>
  `${input.scope.workflowId}-${loop.items === undefined ? "row" : `forEach-${input.task.id}`}-${index}`

/**
 * Notifies the parent machine when all active child workflows wait for people. Notifies it again
 * when one of them no longer waits.
 */
export const reportLoopPaused = (context: LoopTaskContext, step: Step): void =>
  reportPaused(context, context.active > 0 && context.pausedChildren === context.active, step)
