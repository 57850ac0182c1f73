import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { HookUse } from "./hook-use.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * A workflow graph in a chart (docs/semantics.md#workflow-graphs). It is the input of the machine
 * `workflowGraph` or `triggeredGraph`, and drawings are created from it.
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
   * When a node runs. `each`: once for each predecessor that triggers it, in the machine
   * `triggeredGraph` (docs/semantics.md#one-run-for-each-trigger). Absent: once for all of its
   * incoming edges together, in the machine `workflowGraph`.
   */
  readonly triggering?: "each"
  /** Maximum number of nodes that run at the same time; absent: no maximum. */
  readonly maxConcurrency?: number
  /**
   * Effect of `exitFlow` in a node. `agent`: it ends only the turn of this node. Absent: it ends
   * the workflow.
   */
  readonly subAgentExitFlow?: "agent"
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /**
   * Key of the machine that runs the node. null for a join node, which only passes its inputs on.
   */
  readonly src: string | null
  /** Name of the host function that the node runs. Absent if it runs no host function. */
  readonly service?: string
  /** Id of the tool that a ToolNode calls. It can differ from the name of the service. */
  readonly tool?: string
  /** JSON schema of the arguments of a tool. */
  readonly parameters?: JsonObject
  /**
   * Time until a request for approval of the tool expires, in milliseconds. Absent: it never
   * expires.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** The nodes and edges of the nested graph, if this node is itself a graph. */
  readonly graph?: ChartGraph
  /** The node that is run once for each item, if this node is a ParallelWorker. */
  readonly worker?: ChartGraphNode
  /** Options of a node of a graph with `triggering: "each"`; absent if it has none. */
  readonly options?: ChartNodeOptions
}

/** Options of one node of a graph with `triggering: "each"` (docs/semantics.md#nodes). */
export interface ChartNodeOptions {
  readonly retry?: NodeRetry
  /** Maximum duration of one attempt, in milliseconds. */
  readonly timeoutMs?: number
  /**
   * Whether the node runs again, with the same input, after a person has answered its questions.
   * Absent: the answer is the output of the node.
   */
  readonly rerunOnResume?: true
  /** Set if the node triggers the next nodes only if it returns an output or a route. */
  readonly waitForOutput?: true
  /** Maximum number of items that a ParallelWorker processes at the same time. */
  readonly maxParallelWorkers?: number
  /** JSON schema of the node's input. Not used for host functions. */
  readonly inputSchema?: JsonObject
  /** JSON schema of the node's output. Not used for host functions. */
  readonly outputSchema?: JsonObject
  /** JSON schema of the state keys that the node may write. */
  readonly stateSchema?: JsonObject
  /**
   * Whether the host function returns a `NodeResult`. Absent: its return value is the output of the
   * node.
   */
  readonly returnsNodeResult?: true
  /**
   * JSON schema of the task's result, if the node's agent has a task. The agent works until it
   * calls `finish_task` with the result. If it responds with a text and no tool call, the text is a
   * question to the user.
   */
  readonly task?: JsonObject
  /** Whether the agent of the node sees the session history in addition to its input. */
  readonly seesConversation?: true
  /** Callbacks before and after each run of the node. */
  readonly beforeNode?: readonly HookUse[]
  readonly afterNode?: readonly HookUse[]
}

/** Retry policy of a node: the number of attempts, the delays, and the errors that are retried. */
export interface NodeRetry {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number
  readonly initialDelayMs: number
  readonly maxDelayMs: number
  readonly backoffFactor: number
  /**
   * Random variation of the delay as a fraction. 0: no variation. 0.5: between half and one and a
   * half times the delay. 1: between 0 and twice the delay.
   */
  readonly jitter: number
  /** Names of the errors that are retried; absent: all errors. */
  readonly exceptions?: readonly string[]
}

/**
 * An edge between two nodes of a graph. `from` and `to` are node indexes. `from` is -1 if the edge
 * leads from the start of the graph.
 */
export interface ChartGraphEdge {
  readonly from: number
  readonly to: number
  /**
   * The edge is followed only if the node `from` selects this route. Absent if the edge needs no
   * route.
   */
  readonly route?: string
  /**
   * Set for the default edge, which is followed if no edge has the route that the node selected.
   */
  readonly otherwise?: true
}
