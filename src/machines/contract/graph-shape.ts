import type { AgentKind } from "./chart-machine.js"
import type { OnExpiry } from "./activity.js"
import type { JsonObject } from "../data/json-object.js"

/** A workflow graph in a chart: the input of the machine `workflowGraph`, and the source of its drawing (docs/semantics.md#workflow-graphs). */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /** How often one node may run; once more ends the run with status `limit`. */
  readonly maxIterations: number
  /** `exitFlow` of a node ends only its own turn; absent: it ends the workflow. */
  readonly subAgentExitFlow?: "agent"
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /** The machine that runs it; null for a join, which only gives on what came to it. */
  readonly src: string | null
  /** Of host code. */
  readonly service?: string
  /** Of a ToolNode: the id of its tool, which its service may have another name than. */
  readonly tool?: string
  /** JSON schema of what the function of a tool is given. */
  readonly parameters?: JsonObject
  /** How long a request for the approval of a tool stays open, in milliseconds; absent: for ever. */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** Of a graph inside of the graph. */
  readonly graph?: ChartGraph
}

/** Places in the list of nodes; `from` -1 is where the graph begins. */
export interface ChartGraphEdge {
  readonly from: number
  readonly to: number
  /** Followed only when the node chose this route. */
  readonly route?: string
  /** Followed when no other route fits. */
  readonly otherwise?: true
}
