import type { CompiledCondition } from "../../expression/compile-condition.js"
import type { ConditionRefused } from "../../expression/limits/condition-refused.js"
import type { ParseBudget } from "../../template/limits/parse-budget.js"
import type { TemplateRefused } from "../../template/limits/template-errors.js"
import type { AgentConfig, NodeUse, ToolConfig } from "./agent-config.js"
import type { ConditionUse } from "./fields/condition.js"
import type { OpenFiles } from "./files/open-files.js"
import type { Naming } from "./naming.js"
import type { Owner, Place } from "./place.js"
import type { Report } from "./report.js"
import type { KnownServices } from "./services/known-services.js"
import type { ServiceUse } from "./services/service-uses.js"
import type { Suggest } from "./suggest.js"
import type { UnsupportedUse } from "./unsupported.js"

/** What the readers of one config share. */
export interface Reading {
  readonly report: Report
  readonly suggest: Suggest
  readonly naming: Naming
  /** Reads an agent in the words of the config's dialect, wherever one stands. */
  readonly readAgent: (value: unknown, at: Place) => AgentConfig | null
  /** What the text at the end of an edge of a graph means: the name of a node, unless a form has other words for it. */
  readonly readNode: (text: string, at: Place) => NodeUse
  /** The same for an entry of `globalTools`. */
  readonly readTool: (value: unknown, at: Place) => ToolConfig | null
  /** Every condition that was read, for the analysis. */
  readonly conditions: ConditionUse[]
  /** Every different condition is compiled once. */
  readonly compiled: Map<string, CompiledCondition | ConditionRefused>
  /** Templates that were checked, and what is wrong with them: the same header often stands at every agent. */
  readonly templates: Map<string, TemplateRefused | null>
  /** What parsing all of them may still cost. */
  readonly parsing: ParseBudget
  /** The other files of the config; null where it is no folder. */
  readonly files: OpenFiles | null
  /** Paths of the files that the value stands in, from the root's on: one that refers to one of these makes a cycle. */
  readonly filesAround: readonly string[]
  /** Nodes that the edges of a Workflow, its owner, name by a file or by code -> their names. */
  readonly graphNodes: Map<Owner, Map<string, string>>
  readonly services: KnownServices
  /** Every place that names a service. */
  readonly serviceUses: ServiceUse[]
  /** Those of which the chart would need more than the name: a run without them is refused, whatever the runner has. */
  readonly unresolved: ServiceUse[]
  /** Whether a config may start processes: MCP servers over stdio. */
  readonly allowProcesses: boolean
  /** Whatever the config uses that is still to come. */
  readonly unsupported: UnsupportedUse[]
}
