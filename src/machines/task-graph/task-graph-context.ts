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

/** Input of the machine `taskGraph` for the graph of a run. */
export interface TaskGraphInput extends TurnInput {
  readonly graph: ChartTaskGraph
}

/** Input of the machine `taskGraph` for the body of a loop. */
export interface ChildWorkflowInput {
  readonly runId: string
  readonly agent: string
  readonly path: string
  readonly branch: string | null
  readonly at: number
  readonly graph: ChartTaskGraph
  readonly scope: TaskScope
  /** Maximum duration of the child, in milliseconds; null: no limit. */
  readonly timeoutMs: number | null
}

/**
 * Output of the machine `taskGraph`. If the graph is a child workflow, its parent loop reads
 * `results` and `failure`.
 */
export interface TaskGraphOutput extends TurnOutput {
  readonly results: JsonObject
  /** The failure of the child workflow; null if it did not fail. */
  readonly failure: ChildFailure | null
}

export type ChildFailure = TaskError & { readonly nodeId: string | null }

/** Context of a task graph: the progress of its nodes and their results so far. */
export interface TaskGraphContext {
  readonly input: TaskGraphInput | ChildWorkflowInput
  readonly scope: TaskScope
  at: number
  progress: readonly TaskProgress[]
  running: number
  paused: boolean
  pausedNodes: number
  unsettled: number
  /** Results by node id. They include the results that existed before this graph started. */
  results: SessionState
  /** Ids of the finished nodes, newest first. */
  executed: LinkedList<string> | null
  /**
   * Final text of the last finished adk node in node order, and the index of this node. null if no
   * adk node has finished.
   */
  text: { readonly node: number; readonly text: string | null } | null
  /** The failure that each error_boundary handles, by the boundary's node index. */
  handled: Readonly<Record<number, { readonly node: string; readonly message: string }>>
  /**
   * How the graph ended early, because of a node, a timeout or a stop of the run. null if it has
   * not ended early.
   */
  ending: "terminated" | "failed" | "stopped" | null
  failure: ChildFailure | null
  /** The error if a limit or a policy stopped the run; otherwise null. */
  stoppedBy: RunError | null
  signal: TurnOutput["signal"]
  /** Notifications that have not been posted to the webhook, oldest first. */
  notifications: readonly GraphNotification[]
  /** Number of notifications that have been posted so far. */
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
 * resumes.
 */
export function reportGraphPaused(context: TaskGraphContext, step: Step): void {
  const paused = context.running > 0 && context.pausedNodes === context.running
  // The state is only computed if the graph has paused or resumed.
  if (paused === context.paused) return
  reportPaused(context, paused, step, isChild(context) ? emptyPatch : patchOf(runState(context)))
}

export const isChild = ({ input }: TaskGraphContext): boolean => "scope" in input

/**
 * Returns the session state of a graph run: the context, and the results and execution states of
 * the nodes.
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

/** Returns the results of this graph's nodes, without those of the parent graph. */
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
