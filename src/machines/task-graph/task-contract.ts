import type { ChartTask } from "../contract/graphs/chart-task-graph.js"
import type { NodeScope, LoopRow } from "../data/node-scope.js"
import type { ErrorContext } from "../contract/graphs/node-service.js"
import type { AgentLocation } from "../contract/run-event.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { toObject } from "../data/session-state.js"

/**
 * The variables that the templates of all nodes can read, in a run of a graph or in a child
 * workflow of a loop.
 */
export interface TaskScope {
  readonly context: JsonObject
  /**
   * Results by node id. In a child workflow of a loop, they include the results of the parent
   * graph.
   */
  readonly results: SessionState
  readonly row: LoopRow | null
  readonly rows: Readonly<Record<string, LoopRow>>
  /**
   * Id of the run. In the body of a loop, the id of the child workflow that runs the nodes for one
   * item.
   */
  readonly workflowId: string
}

/** Input of the machine that runs one node of a Graph Compose graph. */
export interface TaskInput {
  readonly runId: string
  readonly path: string
  readonly branch: string | null
  readonly at: number
  readonly task: ChartTask
  readonly scope: TaskScope
  /** The failure that an error_boundary node handles. Absent for other nodes. */
  readonly handles?: ErrorContext
}

/**
 * The result of a node of a Graph Compose graph. Templates read it, for example as
 * `results.fetch.data` for the node `fetch`.
 */
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

/** Output of the machine that runs one node of a Graph Compose graph. */
export interface TaskOutput {
  readonly signal: TaskSignal
  /** Result of the node. null if the node was stopped or has no result. */
  readonly result: TaskResult | null
  /** Whether a condition of the node's `terminateWhen` is true, which ends the workflow. */
  readonly terminates: boolean
  /**
   * Values of the conditions in the node's `continueTo`, in the order of its entries. `continueTo`
   * determines the nodes that run after this node.
   */
  readonly chosen: readonly boolean[]
  /** Final text of an adk node. null for other nodes. */
  readonly text: string | null
  readonly at: number
}

export type TaskSignal = "executed" | "failed" | "stopped"

/**
 * Execution state of a node in the results of a graph run. A `terminated` node was running when the
 * run or its child workflow ended.
 */
export type TaskState = "pending" | "executed" | "executed_and_failed" | "skipped" | "terminated"

export const taskLocation = ({ task, path, branch }: TaskInput): AgentLocation => ({
  agent: task.id,
  path,
  branch,
})

/**
 * Returns the variables that the templates of a node can read. For an error_boundary node,
 * `results.error` and `results.nodeId` describe the failure that it handles, unless the graph has
 * nodes with these ids.
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
