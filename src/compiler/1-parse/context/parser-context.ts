import type { CompiledCondition } from "../../../expression/compile-condition.js"
import type { ConditionRefused } from "../../../expression/limits/condition-refused.js"
import type { ParseBudget } from "../../../template/limits/parse-budget.js"
import type { TemplateRefused } from "../../../template/limits/template-errors.js"
import type { AgentConfig, NodeUse, ToolConfig } from "../config/agent-config.js"
import type { OpenFiles } from "../files/open-files.js"
import type { ConfigLocation, MessageContext, Owner } from "../../diagnostics/config-location.js"
import type { CompileFile } from "../config/called-workflow.js"
import type { KnownServices } from "./known-services.js"
import type { ServiceKind } from "./service-declaration.js"

/** The location of a value that is being parsed, and the state of the parser. */
export interface ParserLocation extends ConfigLocation {
  readonly parser: ParserContext
}

/** A condition in the config, with its location. */
export interface ConditionUse {
  readonly condition: CompiledCondition
  /**
   * Set if the expression returns the items of a `forEach`. Such an expression may be constant,
   * unlike a condition.
   */
  readonly returnsItems?: true
  readonly location: ConfigLocation
}

/** The name of a service with its location in the config. */
export interface NamedService {
  readonly name: string
  readonly kind: ServiceKind
  readonly location: ConfigLocation
}

/** A use of a feature that is not implemented, with its location in the config. */
export interface UnsupportedUse {
  readonly location: ConfigLocation
  /** Name of the feature in the plural, as it is used in a sentence: `callbacks`. */
  readonly feature: string
}

/**
 * The state of the parser for one config. All functions that read values of the config share it.
 */
export interface ParserContext extends MessageContext {
  /** Reads an agent in the dialect of the config. Returns null if the value is not an agent. */
  readonly readAgent: (value: unknown, location: ParserLocation) => AgentConfig | null
  /**
   * Reads the text at one end of a graph edge. In most forms of a config, the text is the name of a
   * node.
   */
  readonly readNode: (text: string, location: ParserLocation) => NodeUse
  /**
   * Reads an entry of `globalTools` in the dialect of the config. Returns null if the entry is
   * invalid.
   */
  readonly readTool: (value: unknown, location: ParserLocation) => ToolConfig | null
  /** Every condition that was read so far. The analysis phase checks them after parsing. */
  readonly conditions: ConditionUse[]
  /** The compiled conditions by source text, so that each text is compiled once. */
  readonly compiled: Map<string, CompiledCondition | ConditionRefused>
  /**
   * The checked templates by text, with their error or null. Many agents often have the same
   * template, which is then checked once.
   */
  readonly templates: Map<string, TemplateRefused | null>
  /** The budget that limits the total work of parsing the templates in this config. */
  readonly parsing: ParseBudget
  /** The other files of the config. null: the config is not a folder. */
  readonly files: OpenFiles | null
  /**
   * Opens data files that the config refers to, such as OpenAPI documents. null: the config has no
   * folder.
   */
  readonly dataFiles: OpenFiles | null
  /** Compiles a workflow that the config calls by file. null: the config has no folder. */
  readonly compileFile: CompileFile | null
  /**
   * Paths of the files that are being read, from the root file to the file that contains the
   * current value. A reference to one of these files makes a cycle.
   */
  readonly filesAround: readonly string[]
  /**
   * Names of the nodes that a Workflow's edges refer to by file or by code: for each Workflow, a
   * map from the reference to the node's name.
   */
  readonly graphNodes: Map<Owner, Map<string, string>>
  readonly services: KnownServices
  /** All uses of service names in the config. */
  readonly serviceUses: NamedService[]
  /**
   * Named services, such as schemas, whose declarations must be copied into the chart but were not
   * passed to the compiler. A chart without these declarations is incomplete, and runners refuse to
   * run it.
   */
  readonly unresolved: NamedService[]
  /** Whether the config may start processes, such as MCP servers over stdio. */
  readonly allowProcesses: boolean
  /** All uses of features that are not implemented. */
  readonly unsupported: UnsupportedUse[]
}
