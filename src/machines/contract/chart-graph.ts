import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { HookUse } from "./hook-use.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * A workflow graph in a chart (docs/semantics.md#workflow-graphs). It is the input of the machine
 * `workflowGraph` or `triggeredGraph` and the source of drawings.
 */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /**
   * Maximum number of runs of each node. If a node would run more often, the workflow ends with
   * status `limit`.
   */
  readonly maxIterations: number
  /**
   * `each`: a node runs once for each trigger, in the machine `triggeredGraph`
   * (docs/semantics.md#one-run-for-each-trigger). Absent: a node waits for all of its edges.
   */
  readonly triggering?: "each"
  /** Maximum number of nodes that run at the same time; absent: no maximum. */
  readonly maxConcurrency?: number
  /** "agent": `exitFlow` of a node ends only its own turn. If absent, it ends the workflow. */
  readonly subAgentExitFlow?: "agent"
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /** Key of the machine that runs the node; null for a join, which only forwards its inputs. */
  readonly src: string | null
  /** Name of the host function that the node runs; absent if it runs none. */
  readonly service?: string
  /** Id of the tool of a ToolNode. It can differ from the name of the service. */
  readonly tool?: string
  /** JSON schema of the arguments of a tool. */
  readonly parameters?: JsonObject
  /** How long a request for approval of a tool stays open, in milliseconds; absent: no limit. */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** The nodes and edges of a nested graph. */
  readonly graph?: ChartGraph
  /** The node that a ParallelWorker runs once for each item. */
  readonly worker?: ChartGraphNode
  /** Options of a node of a graph with `triggering: "each"`; absent if it has none. */
  readonly options?: ChartNodeOptions
}

/** Options of one node of a graph with `triggering: "each"` (docs/semantics.md#nodes). */
export interface ChartNodeOptions {
  readonly retry?: NodeRetry
  /** Maximum duration of one attempt, in milliseconds. */
  readonly timeoutMs?: number
  /** Whether the node runs again with its first input after its questions were answered. */
  readonly rerunOnResume?: true
  /** Whether a run without an output and without a route triggers no other node. */
  readonly waitForOutput?: true
  /** Maximum number of items that a ParallelWorker processes at the same time. */
  readonly maxParallelWorkers?: number
  /** JSON schema of the input of a node that is not a host function. */
  readonly inputSchema?: JsonObject
  /** JSON schema of the output of a node that is not a host function. */
  readonly outputSchema?: JsonObject
  /** JSON schema of the state keys that the node may write. */
  readonly stateSchema?: JsonObject
  /** Whether the host function returns a `NodeResult` instead of the output. */
  readonly returnsNodeResult?: true
  /**
   * JSON schema of the result of a task. The agent works until it calls `finish_task`, and a text
   * without a call asks the user.
   */
  readonly task?: JsonObject
  /** Whether an agent sees the conversation in addition to its input. */
  readonly seesConversation?: true
  /** Callbacks before and after each run of the node. */
  readonly beforeNode?: readonly HookUse[]
  readonly afterNode?: readonly HookUse[]
}

/** When and how often a failed attempt of a node is repeated. */
export interface NodeRetry {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number
  readonly initialDelayMs: number
  readonly maxDelayMs: number
  readonly backoffFactor: number
  /** Part of the delay that is random: 0 for none, 1 for a delay between 0 and twice the delay. */
  readonly jitter: number
  /** Names of the errors that are retried; absent: all errors. */
  readonly exceptions?: readonly string[]
}

/**
 * An edge between two nodes, identified by their indexes. `from` is -1 for edges from the start.
 */
export interface ChartGraphEdge {
  readonly from: number
  readonly to: number
  /** The edge is followed only if the node selects this route. */
  readonly route?: string
  /** The edge is followed if no other route matches. */
  readonly otherwise?: true
}
