import type { ChartTask } from "../contract/graphs/chart-task-graph.js"
import type { NodeScope, LoopRow } from "../data/node-scope.js"
import type { ErrorContext } from "../contract/graphs/node-service.js"
import type { AgentLocation } from "../contract/run-event.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { toObject } from "../data/session-state.js"

/**
 * The values that the templates of all nodes can read in one run of a graph or in one child
 * workflow.
 */
export interface TaskScope {
  readonly context: JsonObject
  /** Results by node id. In a child workflow, they include the results of the parent graph. */
  readonly results: SessionState
  readonly row: LoopRow | null
  readonly rows: Readonly<Record<string, LoopRow>>
  /** Id of the run, or of the child workflow. */
  readonly workflowId: string
}

/** Input of the machine of one node. */
export interface TaskInput {
  readonly runId: string
  readonly path: string
  readonly branch: string | null
  readonly at: number
  readonly task: ChartTask
  readonly scope: TaskScope
  /** The failure of another node that an error_boundary handles. */
  readonly handles?: ErrorContext
}

/** The result of a node, which templates read as `results.<id>`. */
export interface TaskResult {
  readonly data: unknown
  readonly statusCode?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly _rawData?: unknown
  readonly error?: TaskError
}

export interface TaskError {
  readonly message: string
  readonly type: TaskErrorType
}

export type TaskErrorType =
  | "http_error"
  | "network_error"
  | "timeout"
  | "schema_violated"
  | "template_failed"
  | "secret_missing"
  | "condition_failed"
  | "poll_exhausted"
  | "rejected"
  | "agent_failed"
  | "items_not_an_array"
  | "too_many_items"
  | "child_failed"
  | "boundary_failed"
  | "malformed"

/** Output of the machine of one node. */
export interface TaskOutput {
  readonly signal: TaskSignal
  /** Result of the node. null if the node was stopped. */
  readonly result: TaskResult | null
  /** Whether a condition of `terminateWhen` is true, which ends the workflow. */
  readonly terminates: boolean
  /** The values of the conditions of `continueTo`, in the order of its entries. */
  readonly chosen: readonly boolean[]
  /** Final text of an adk node; null for other nodes. */
  readonly text: string | null
  readonly at: number
}

export type TaskSignal = "executed" | "failed" | "stopped"

/** Execution state of a node. */
export type TaskState = "pending" | "executed" | "executed_and_failed" | "skipped" | "terminated"

export const taskLocation = ({ task, path, branch }: TaskInput): AgentLocation => ({
  agent: task.id,
  path,
  branch,
})

/**
 * Returns the values that the templates of a node can read. The templates of an error_boundary can
 * also read `results.error` and `results.nodeId`, unless these are the ids of nodes.
 */
export function nodeScope(
  { context, results, row, rows }: TaskScope,
  handles?: ErrorContext,
): NodeScope {
  const own = toObject(results)
  return {
    results:
      handles === undefined
        ? own
        : { error: handles.message, nodeId: handles.failedNodeId, ...own },
    context,
    ...(row !== null && { row }),
    rows,
  }
}
