import { reportPaused } from "../requests/report-paused.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { LinkedList } from "../data/linked-list.js"
import type { PendingNode, GraphIndex } from "./graph-progress.js"
import type { ChartGraph, ChartGraphNode } from "../contract/chart-graph.js"
import type { Writes } from "./graph-writes.js"
import type { History } from "../contract/history.js"
import type { Outcome, AgentLocation, RunError } from "../contract/run-event.js"
import type { SessionState } from "../data/session-state.js"
import type { Step } from "../contract/machine-kind.js"
import type { TurnInput } from "../contract/turn.js"

export type GraphInput = TurnInput & { readonly graph: ChartGraph }

/**
 * A running node of a graph. It contains the input of the node and the state changes on the path
 * through the graph that led to the node.
 */
export interface RunningNode {
  readonly node: number
  readonly path: string
  readonly inputValue: unknown
  readonly writes: Writes
  readonly isPaused: boolean
}

/**
 * A finished node after which the graph followed no edge, so a path through the graph ends there.
 */
export interface GraphEnd {
  readonly node: number
  readonly output: unknown
  readonly text: string | null
  readonly writes: Writes
}

/**
 * Context of the machine that runs a workflow graph. It contains the progress of the nodes and the
 * state changes so far.
 */
export interface GraphContext {
  readonly input: GraphInput
  readonly index: GraphIndex
  readonly rules: AgentChart["settings"]["stateMerge"]
  at: number
  /**
   * Sequence number of the last state changes that were recorded. The next changes have the next
   * number.
   */
  ordinal: number
  arrivals: readonly PendingNode[]
  running: {
    readonly count: number
    readonly paused: number
    readonly byNode: readonly (RunningNode | null)[]
  }
  ends: LinkedList<GraphEnd> | null
  /** Number of times that each node has started, by node id. */
  startCounts: SessionState
  writes: Writes
  output: unknown
  text: string | null
  newEntries: LinkedList<History> | null
  escalates: boolean
  paused: boolean
  /** Outcome of the node that has ended the whole graph. null if no node has ended the graph. */
  ending: "limited" | "exited" | "failed" | "stopped" | null
  signal: Outcome | null
  error: RunError | null
}

export const locationOf = ({ agent, path, branch }: TurnInput): AgentLocation => ({
  agent,
  path,
  branch,
})

export const getNode = ({ input }: GraphContext, node: number): ChartGraphNode =>
  input.graph.nodes[node] as ChartGraphNode

export const locationOfNode = (
  context: GraphContext,
  { node, path }: Pick<RunningNode, "node" | "path">,
): AgentLocation => ({
  agent: getNode(context, node).id,
  path,
  branch: context.input.branch,
})

/**
 * Returns whether the machine of a node emits `agent.started` and `agent.finished` itself, as the
 * machines of agents do. For host functions and JoinNodes, the graph emits these events.
 */
export const isAgent = (node: ChartGraphNode): boolean => node.src !== null && !runsCode(node)

/**
 * Returns whether a node runs a host function. With the machine `toolNode`, a person must first
 * approve the call.
 */
export const runsCode = ({ src }: ChartGraphNode): boolean =>
  src === "hostCode" || src === "toolNode"

export function setRunning(context: GraphContext, node: number, run: RunningNode | null): void {
  const { count, paused, byNode } = context.running
  const before = byNode[node] ?? null
  const toNumber = (condition: boolean): number => (condition ? 1 : 0)
  context.running = {
    count: count + toNumber(run !== null) - toNumber(before !== null),
    paused: paused + toNumber(run?.isPaused === true) - toNumber(before?.isPaused === true),
    byNode: byNode.with(node, run),
  }
}

export function addEnd(context: GraphContext, end: GraphEnd): void {
  context.ends = { link: end, before: context.ends }
}

/**
 * Records whether a running node waits for a person. Notifies the parent machine if the whole graph
 * then starts or stops waiting.
 */
export function setPaused(
  context: GraphContext,
  child: string,
  isPaused: boolean,
  step: Step,
): void {
  const node = Number(child.slice("node.".length))
  const run = context.running.byNode[node] ?? null
  if (run !== null) setRunning(context, node, { ...run, isPaused })
  reportGraphPaused(context, step)
}

/**
 * Notifies the parent machine when all running nodes wait for people, and again when one of them
 * continues.
 */
export const reportGraphPaused = (context: GraphContext, step: Step): void =>
  reportPaused(
    context,
    context.running.count > 0 && context.running.paused === context.running.count,
    step,
  )
