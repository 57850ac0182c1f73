import type { ChartTask, ChartTaskGraph } from "../contract/graphs/chart-task-graph.js"
import type { LinkedList } from "../data/linked-list.js"
import { linksOf } from "../data/linked-list.js"
import type { GraphNotification } from "../contract/graphs/node-service.js"
import type { AgentLocation, RunError } from "../contract/run-event.js"
import type { Step } from "../contract/machine-kind.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { emptyPatch, patchOf, stateFrom, toObject } from "../data/session-state.js"
import { reportPaused } from "../requests/report-paused.js"
import type { TaskError, TaskScope } from "./task-contract.js"
import type { TaskProgress } from "./task-progress.js"

/** Input of the machine `taskGraph` when it runs the whole Graph Compose graph. */
export interface TaskGraphInput extends TurnInput {
  readonly graph: ChartTaskGraph
}

/**
 * Input of the machine `taskGraph` when it runs the nodes in the body of a loop for one item. Such
 * a run of the body is called a child workflow.
 */
export interface ChildWorkflowInput {
  readonly runId: string
  readonly agent: string
  readonly path: string
  readonly branch: string | null
  readonly at: number
  readonly graph: ChartTaskGraph
  readonly scope: TaskScope
  /** Maximum duration of the child workflow, in milliseconds. If null, there is no limit. */
  readonly timeoutMs: number | null
}

/**
 * Output of the machine `taskGraph`. `results` and `failure` are used only if the machine runs the
 * body of a loop for one item, as a child workflow.
 */
export interface TaskGraphOutput extends TurnOutput {
  readonly results: JsonObject
  /**
   * The failure of a child workflow, which runs the body of a loop for one item. null if the child
   * workflow did not fail.
   */
  readonly failure: ChildFailure | null
}

export type ChildFailure = TaskError & { readonly nodeId: string | null }

/** Context of a Graph Compose graph. It contains the progress and the results of the nodes. */
export interface TaskGraphContext {
  readonly input: TaskGraphInput | ChildWorkflowInput
  readonly scope: TaskScope
  at: number
  progress: readonly TaskProgress[]
  running: number
  paused: boolean
  pausedNodes: number
  unsettled: number
  /**
   * Results by node id. In a child workflow of a loop, they include the results of the parent
   * graph.
   */
  results: SessionState
  /** Ids of the nodes that have finished, newest first. */
  executed: LinkedList<string> | null
  /**
   * Final text of the adk node that has finished and is last in the order of the nodes, and the
   * index of this node. null if no adk node has finished.
   */
  text: { readonly node: number; readonly text: string | null } | null
  /** The failure that each error_boundary node handles, by the index of the error_boundary. */
  handled: Readonly<Record<number, { readonly node: string; readonly message: string }>>
  /**
   * Why the graph ended before all of its nodes. `terminated`: a condition of `terminateWhen` was
   * true. `failed`: a node failed, or the time limit was exceeded. `stopped`: the run was stopped.
   * Otherwise null.
   */
  ending: "terminated" | "failed" | "stopped" | null
  failure: ChildFailure | null
  /** The error with which a limit or a policy stopped the run. Otherwise null. */
  stoppedBy: RunError | null
  signal: TurnOutput["signal"]
  /** Notifications that have not been sent to the webhook yet, oldest first. */
  notifications: readonly GraphNotification[]
  /** Number of notifications that were sent to the webhook so far. */
  posted: number
}

export const taskAt = ({ input }: TaskGraphContext, node: number): ChartTask =>
  input.graph.nodes[node] as ChartTask

export const progressOf = (context: TaskGraphContext, node: number): TaskProgress =>
  context.progress[node] as TaskProgress

export function changeProgress(
  context: TaskGraphContext,
  node: number,
  changes: Partial<TaskProgress>,
): void {
  context.progress = context.progress.with(node, { ...progressOf(context, node), ...changes })
}

export const pathOfTask = ({ input }: TaskGraphContext, { id }: ChartTask): string =>
  `${input.path}/${id}`

export const locationOfTask = (context: TaskGraphContext, task: ChartTask): AgentLocation => ({
  agent: task.id,
  path: pathOfTask(context, task),
  branch: context.input.branch,
})

/**
 * Notifies the parent machine when all running nodes wait for people, and again when one of them
 * continues.
 */
export function reportGraphPaused(context: TaskGraphContext, step: Step): void {
  const paused = context.running > 0 && context.pausedNodes === context.running
  // The state is only computed if the graph has paused or resumed.
  if (paused === context.paused) return
  reportPaused(context, paused, step, isChild(context) ? emptyPatch : patchOf(runState(context)))
}

export const isChild = ({ input }: TaskGraphContext): boolean => "scope" in input

/**
 * Returns the session state of a graph run. It contains the context, and the results and execution
 * states of the nodes.
 */
export function runState(context: TaskGraphContext): SessionState {
  const states = context.input.graph.nodes.map(({ id }, node) => {
    const { state } = progressOf(context, node)
    return [id, state === "running" ? "pending" : state] as const
  })
  return stateFrom({
    context: context.scope.context,
    executed: linksOf(context.executed),
    results: ownResults(context),
    nodes: Object.fromEntries(states),
  })
}

/**
 * Returns the results of the nodes of this graph, by node id. Results of the parent graph are not
 * included.
 */
export const ownResults = ({ results: { chunks } }: TaskGraphContext): JsonObject =>
  toObject({ base: null, chunks })

export const errorOf = ({ failure, input }: TaskGraphContext): RunError | null =>
  failure === null
    ? null
    : {
        code:
          failure.type === "timeout" && failure.nodeId === null ? "deadline_passed" : "node_failed",
        agent: failure.nodeId ?? input.agent,
        message: failure.message,
      }
