import type { ChartGraph, ChartGraphNode } from "../contract/chart-graph.js"
import type { BranchHistory } from "../contract/history.js"
import type { AgentLocation, NodeFailure, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput } from "../contract/turn.js"
import type { SessionState } from "../data/session-state.js"
import type { GraphIndex } from "./graph-progress.js"
import type { NodeValue } from "./node-result.js"

/**
 * Input of a graph with `triggering: "each"`, in which each predecessor starts a separate run of a
 * node. The first nodes of the graph receive `inputValue`.
 */
export type TriggeredGraphInput = TurnInput & {
  readonly graph: ChartGraph
  readonly inputValue: NodeValue
  /**
   * Whether this is the root graph. The input of the root graph is the user's message, which the
   * session history already contains.
   */
  readonly isRoot: boolean
}

/** A request to run a node with this input. The node has not started yet. */
export interface Trigger {
  readonly node: number
  readonly inputValue: NodeValue
  readonly isFirst: boolean
}

export interface TriggeredGraphContext {
  readonly input: TriggeredGraphInput
  readonly index: GraphIndex
  at: number
  /** The session state, including the changes of all finished nodes. */
  state: SessionState
  /**
   * The session history, which includes the entries that the finished nodes have added. null in the
   * graph-compose dialect.
   */
  history: BranchHistory | null
  /** Requests to run nodes that have not started yet, oldest first. */
  waiting: readonly Trigger[]
  /** The running nodes by node index. The entry of a node that is not running is null. */
  running: readonly ({ readonly isPaused: boolean } | null)[]
  runningCount: number
  pausedCount: number
  /** Number of times that each node has started, by node index. */
  startCounts: readonly number[]
  /**
   * The last result of each node, by node index. null if the node has not ended. For a JoinNode,
   * also null if an edge to it was followed again.
   */
  completed: readonly (NodeValue | null)[]
  /**
   * The output of the graph. It is the output of the only node without outgoing edges that has an
   * output.
   */
  result: NodeValue
  paused: boolean
  /** Whether a node was stopped because the run is ending. No further node starts then. */
  isStopping: boolean
  ending: Outcome | null
  signal: Outcome | null
  failure: NodeFailure | null
  error: RunError | null
}

export const graphLocation = ({ input }: TriggeredGraphContext): AgentLocation => ({
  agent: input.agent,
  path: input.path,
  branch: input.branch,
})

export const nodeAt = ({ input }: TriggeredGraphContext, index: number): ChartGraphNode =>
  input.graph.nodes[index] as ChartGraphNode
