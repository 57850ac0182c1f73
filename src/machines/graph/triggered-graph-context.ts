import type { ChartGraph, ChartGraphNode } from "../contract/chart-graph.js"
import type { BranchHistory } from "../contract/history.js"
import type { AgentLocation, NodeFailure, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput } from "../contract/turn.js"
import type { SessionState } from "../data/session-state.js"
import type { GraphIndex } from "./graph-progress.js"
import type { NodeValue } from "./node-result.js"

/**
 * Input of a graph with `triggering: "each"`. `inputValue` is the value that its first nodes receive.
 */
export type TriggeredGraphInput = TurnInput & {
  readonly graph: ChartGraph
  readonly inputValue: NodeValue
  /**
   * Whether this is the root graph. Its input is the user's message, which is already part of the
   * session history.
   */
  readonly isRoot: boolean
}

/** A node that was triggered but has not started yet, with the input that it receives. */
export interface Trigger {
  readonly node: number
  readonly inputValue: NodeValue
  readonly isFirst: boolean
}

export interface TriggeredGraphContext {
  readonly input: TriggeredGraphInput
  readonly index: GraphIndex
  at: number
  /** The session state with the changes of all finished nodes. */
  state: SessionState
  /** The session history with the entries of all finished nodes; null in graph-compose. */
  history: BranchHistory | null
  /** Triggers whose nodes have not started yet, oldest first. */
  waiting: readonly Trigger[]
  /** The running nodes by node index. null for nodes that are not running. */
  running: readonly ({ readonly isPaused: boolean } | null)[]
  runningCount: number
  pausedCount: number
  /** Number of runs of each node so far. */
  startCounts: readonly number[]
  /** The last result of each node; null if the node is triggered again or has not ended. */
  completed: readonly (NodeValue | null)[]
  /** The output of the graph. It comes from the node without outgoing edges that has an output. */
  result: NodeValue
  paused: boolean
  /** Whether a node was stopped because the run is ending. No further node starts. */
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
