import type { CompiledCondition } from "../../expression/compile-condition.js"
import type { ConditionRefused } from "../../expression/condition-refused.js"
import type { TemplateRefused } from "../../template/template-errors.js"
import type { AgentConfig, NodeUse, ToolConfig } from "./agent-config.js"
import type { ConditionUse } from "./fields/condition.js"
import type { Naming } from "./naming.js"
import type { Place } from "./place.js"
import type { Report } from "./report.js"
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
  /** Whatever the config uses that is still to come. */
  readonly unsupported: UnsupportedUse[]
}
