import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * A workflow graph in a chart (docs/semantics.md#workflow-graphs). It is the input of the machine
 * `workflowGraph` and the source of drawings.
 */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /**
   * Maximum number of runs of each node. If a node would run more often, the workflow ends with
   * status `limit`.
   */
  readonly maxIterations: number
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
