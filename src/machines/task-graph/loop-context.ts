import type { ChartLoop } from "../contract/graphs/chart-task-graph.js"
import type { LinkedList } from "../data/linked-list.js"
import type { Step } from "../contract/machine-kind.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import type { TaskInput, TaskResult, TaskSignal } from "./task-contract.js"
import type { ChildFailure } from "./task-graph-context.js"

/** Context of a loop: its items and the progress of its children. */
export interface LoopTaskContext {
  readonly input: TaskInput
  readonly loop: ChartLoop
  at: number
  items: readonly unknown[]
  /** The HTTP response of a source_iterator, which contains the items. */
  raw: unknown
  /** Index of the next item whose child has not started. */
  next: number
  /** Number of children that run or wait for their next attempt. */
  active: number
  pausedChildren: number
  paused: boolean
  ended: LinkedList<EndedChild> | null
  failures: number
  /** The next attempts of failed children: a {@link ChildAttempt} for each child index. */
  attempts: SessionState
  /** The failed child that ended the loop; null if no child has ended it. */
  stoppedBy: EndedChild | null
  /** Whether children were stopped because the run ends. */
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

/** The next attempt of a failed child. */
export interface ChildAttempt {
  /** Number of the attempt. The first retry is number 2. */
  readonly number: number
  /** Time of the first failure, in milliseconds since the epoch. */
  readonly since: number
  /** Whether the attempt has not started yet. */
  readonly isWaiting: boolean
  /** Results of the failed attempt. */
  readonly results: JsonObject
}

/** Returns the id of the child workflow of an item. */
export const workflowIdOf = ({ input, loop }: LoopTaskContext, index: number): string =>
  `${input.scope.workflowId}-${loop.items === undefined ? "row" : `forEach-${input.task.id}`}-${index}`

/** Notifies the parent when all running children wait for people, and when one of them resumes. */
export const reportLoopPaused = (context: LoopTaskContext, step: Step): void =>
  reportPaused(context, context.active > 0 && context.pausedChildren === context.active, step)
