import type { AgentKind } from "./agent-chart.js"
import type { JsonObject } from "./contract.js"

/** A graph of nodes as a chart has it: what the machine `workflowGraph` is given, and what is drawn (SPEC sections 8 and 12). */
export interface ChartGraph {
  readonly nodes: readonly ChartGraphNode[]
  readonly edges: readonly ChartGraphEdge[]
  /** How often one node may run; once more ends the run with status `limit`. */
  readonly maxIterations: number
}

export interface ChartGraphNode {
  readonly id: string
  readonly kind: AgentKind
  /** The machine that runs it; null for a join, which only gives on what came to it. */
  readonly src: string | null
  /** Of host code. */
  readonly service?: string
  /** JSON schema of what the function of a tool is given. */
  readonly parameters?: JsonObject
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
