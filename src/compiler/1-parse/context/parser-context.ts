import type { CompiledCondition } from "../../../expression/compile-condition.js"
import type { ConditionRefused } from "../../../expression/limits/condition-refused.js"
import type { ParseBudget } from "../../../template/limits/parse-budget.js"
import type { TemplateRefused } from "../../../template/limits/template-errors.js"
import type { AgentConfig, NodeUse, ToolConfig } from "../config/agent-config.js"
import type { OpenFiles } from "../files/open-files.js"
import type { ConfigLocation, MessageContext, Owner } from "../../diagnostics/config-location.js"
import type { KnownServices } from "./known-services.js"
import type { ServiceKind } from "./service-declaration.js"

/** A location that the parser is reading: it also gives access to the state of the parser. */
export interface ParserLocation extends ConfigLocation {
  readonly parser: ParserContext
}

/** A condition of the config, and its location. */
export interface ConditionUse {
  readonly condition: CompiledCondition
  readonly at: ConfigLocation
}

/** A location of the config that names a service. */
export interface NamedService {
  readonly name: string
  readonly kind: ServiceKind
  readonly at: ConfigLocation
}

/** A location of the config that uses a feature which is not implemented. */
export interface UnsupportedUse {
  readonly at: ConfigLocation
  /** Name of the feature in the plural, as it is used in a sentence: `callbacks`. */
  readonly feature: string
}

/** What the readers of one config share. */
export interface ParserContext extends MessageContext {
  /** Reads an agent in the words of the config's dialect, wherever one stands. */
  readonly readAgent: (value: unknown, at: ParserLocation) => AgentConfig | null
  /** What the text at the end of an edge of a graph means: the name of a node, unless a form has other words for it. */
  readonly readNode: (text: string, at: ParserLocation) => NodeUse
  /** The same for an entry of `globalTools`. */
  readonly readTool: (value: unknown, at: ParserLocation) => ToolConfig | null
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
  readonly serviceUses: NamedService[]
  /** Those of which the chart would need more than the name: a run without them is refused, whatever the runner has. */
  readonly unresolved: NamedService[]
  /** Whether a config may start processes: MCP servers over stdio. */
  readonly allowProcesses: boolean
  /** Whatever the config uses that is still to come. */
  readonly unsupported: UnsupportedUse[]
}
