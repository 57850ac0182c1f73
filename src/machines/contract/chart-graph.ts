import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { HookUse } from "./hook-use.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * The nodes and edges of a workflow graph in a chart (docs/semantics.md#workflow-graphs). A chart
 * contains it as the input of the machine `workflowGraph` or `triggeredGraph`. Drawings also use
 * it.
 */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /**
   * Maximum number of times that each node runs. If a node would run more often, the workflow ends
   * with status `limit`.
   */
  readonly maxIterations: number
  /**
   * How incoming edges start a node. `each`: each predecessor that triggers the node starts a
   * separate run of it, in the machine `triggeredGraph`
   * (docs/semantics.md#one-run-for-each-trigger). If absent, one run of the node receives the
   * outputs of all incoming edges, in the machine `workflowGraph`.
   */
  readonly triggering?: "each"
  /** Maximum number of nodes that run at the same time. If absent, there is no maximum. */
  readonly maxConcurrency?: number
  /**
   * If set, the model signal `exitFlow` in a node ends only the turn of this node. If absent, it
   * ends the workflow.
   */
  readonly subAgentExitFlow?: "agent"
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /**
   * Key of the machine that runs the node. null for a JoinNode, which runs no machine and only
   * passes its inputs on.
   */
  readonly src: string | null
  /** Name of the host function that the node runs. Absent if the node runs no host function. */
  readonly service?: string
  /**
   * Id of the tool that a ToolNode calls. It can differ from the name of the host function in
   * `service`.
   */
  readonly tool?: string
  /** JSON schema of the arguments of the tool that a ToolNode calls. */
  readonly parameters?: JsonObject
  /**
   * Time until a request to approve the tool call expires, in milliseconds. If absent, it never
   * expires.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** The nodes and edges inside this node. Set if the node is a nested graph. */
  readonly graph?: ChartGraph
  /** The node that runs once for each item of a list. Set if this node is a ParallelWorker. */
  readonly worker?: ChartGraphNode
  /**
   * Options of the node. Set only in a graph with `triggering: "each"`, if the node has options.
   */
  readonly options?: ChartNodeOptions
}

/** Options of one node in a graph with `triggering: "each"` (docs/semantics.md#nodes). */
export interface ChartNodeOptions {
  readonly retry?: NodeRetry
  /**
   * Maximum duration of one attempt to run the node, in milliseconds. If absent, there is no limit.
   */
  readonly timeoutMs?: number
  /**
   * Set if the node runs again with the same input after a person has answered its questions. If
   * absent, the answer is the output of the node.
   */
  readonly rerunOnResume?: true
  /** Set if the node triggers the next nodes only when it returns an output or a route. */
  readonly waitForOutput?: true
  /**
   * Maximum number of items that a ParallelWorker processes at the same time. If absent, it is 8.
   */
  readonly maxParallelWorkers?: number
  /** JSON schema of the node's input. Not set for nodes that run host functions. */
  readonly inputSchema?: JsonObject
  /** JSON schema of the node's output. Not set for nodes that run host functions. */
  readonly outputSchema?: JsonObject
  /** JSON schema of the session state keys that the node may write. */
  readonly stateSchema?: JsonObject
  /**
   * Set if the host function of the node returns a `NodeResult`. If absent, its return value is the
   * output of the node.
   */
  readonly returnsNodeResult?: true
  /**
   * JSON schema of the task's result. Set if the node's agent has a task. The agent then works
   * until it calls `finish_task` with the result. A text without a tool call is a question to the
   * user.
   */
  readonly task?: JsonObject
  /** Set if the agent of the node sees the session history in addition to its input. */
  readonly seesConversation?: true
  /** Callbacks that are called before each run of the node. */
  readonly beforeNode?: readonly HookUse[]
  readonly afterNode?: readonly HookUse[]
}

/**
 * Retry policy of a graph node: the number of attempts, the delays, and the errors that are
 * retried.
 */
export interface NodeRetry {
  /** Maximum number of attempts to run the node, including the first. */
  readonly maxAttempts: number
  readonly initialDelayMs: number
  readonly maxDelayMs: number
  readonly backoffFactor: number
  /**
   * Random variation of the delay as a fraction of it. With 0, the delay does not vary. With 0.5,
   * it is between 0.5 and 1.5 times the delay. With 1, it is between 0 and twice the delay.
   */
  readonly jitter: number
  /**
   * Names of the errors that are retried, such as `NodeTimeoutError`. If absent, all errors are
   * retried.
   */
  readonly exceptions?: readonly string[]
}

/**
 * An edge between two nodes of a graph. `from` and `to` are indexes of nodes. `from` is -1 for an
 * edge that starts at the start of the graph.
 */
export interface ChartGraphEdge {
  readonly from: number
  readonly to: number
  /**
   * Name of the route with which the node `from` selects this edge. If absent, the edge needs no
   * route.
   */
  readonly route?: string
  /**
   * Set for the default edge, which is followed if no edge has the route that the node `from`
   * selected.
   */
  readonly otherwise?: true
}
