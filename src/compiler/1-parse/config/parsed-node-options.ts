import type { ChartNodeOptions } from "../../../machines/contract/chart-graph.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** The parsed options of one graph node, and their location in the config. */
export interface ParsedNodeOptions {
  readonly options: ChartNodeOptions
  /** Whether the node is a parallel worker, which runs once for each item of its input. */
  readonly isWorker: boolean
  readonly location: ConfigLocation
}
