import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * A workflow graph in a chart (docs/semantics.md#workflow-graphs): the input of the machine
 * `workflowGraph`. Drawings also use it.
 */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /** Maximum number of runs of one node. One more run ends the workflow with status `limit`. */
  readonly maxIterations: number
  /** `exitFlow` of a node ends only its own turn; absent: it ends the workflow. */
  readonly subAgentExitFlow?: "agent"
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /** Key of the machine that runs the node; null for a join, which only passes its inputs on. */
  readonly src: string | null
  /** Name of the host function, if the node runs one. */
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
}

/** An edge between two nodes, given by their indices. `from` is -1 for edges from the start. */
export interface ChartGraphEdge {
  readonly from: number
  readonly to: number
  /** The edge is followed only if the node selects this route. */
  readonly route?: string
  /** The edge is followed if no other route matches. */
  readonly otherwise?: true
}
