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

/** The location of a config value, together with the shared state of the parser. */
export interface ParserLocation extends ConfigLocation {
  readonly parser: ParserContext
}

/** A compiled condition that occurs in the config, with its location. */
export interface ConditionUse {
  readonly condition: CompiledCondition
  /**
   * True if the expression returns the items of a `forEach`. Unlike a condition, such an expression
   * may be constant.
   */
  readonly returnsItems?: true
  readonly location: ConfigLocation
}

/** The name of a service that the config uses, with its location in the config. */
export interface NamedService {
  readonly name: string
  readonly kind: ServiceKind
  readonly location: ConfigLocation
}

/** The use of an unsupported feature, with its location in the config. */
export interface UnsupportedUse {
  readonly location: ConfigLocation
  /** Name of the feature in the plural, to be used in a message, such as `callbacks`. */
  readonly feature: string
}

/**
 * The data and functions that all parts of the parser share while they parse one config. Examples
 * are the config's files and the known services of the runner.
 */
export interface ParserContext extends MessageContext {
  /** Parses an agent in the dialect of the config. Returns null if the value is not an agent. */
  readonly readAgent: (value: unknown, location: ParserLocation) => AgentConfig | null
  /**
   * Parses a text that is the source or target of a graph edge. The text is the name of a node, the
   * path of its file or the dotted name of a host function.
   */
  readonly readNode: (text: string, location: ParserLocation) => NodeUse
  /**
   * Parses an entry of `globalTools`, the workflow's list of tools. Returns null if the entry is
   * invalid.
   */
  readonly readTool: (value: unknown, location: ParserLocation) => ToolConfig | null
  /** All conditions that were parsed so far. The analysis phase of the compiler checks them. */
  readonly conditions: ConditionUse[]
  /** The compiled conditions by source text. Each text is compiled only once. */
  readonly compiled: Map<string, CompiledCondition | ConditionRefused>
  /**
   * The checked templates by text. The value is the error of the template, or null if it is valid.
   * Many agents often share a template, which is checked only once.
   */
  readonly templates: Map<string, TemplateRefused | null>
  /** The budget that limits the total work of parsing the `{{ }}` templates in this config. */
  readonly parsing: ParseBudget
  /**
   * The other files of the config folder. Null if the config is not a folder of Agent Config YAML.
   */
  readonly files: OpenFiles | null
  /**
   * Opens data files that the config refers to, such as OpenAPI documents. Null if the config has
   * no folder.
   */
  readonly dataFiles: OpenFiles | null
  /** Compiles a workflow file that the config calls. Null if the config has no folder. */
  readonly compileFile: CompileFile | null
  /**
   * Paths of the files that are being read, from the root file to the file that contains the
   * current value. A reference to one of these files would close a cycle.
   */
  readonly filesAround: readonly string[]
  /**
   * For each Workflow, maps the file paths and function names in its edges to node names. Several
   * edges with the same path or function share one node.
   */
  readonly graphNodes: Map<Owner, Map<string, string>>
  readonly services: KnownServices
  /** All service names that the config uses. */
  readonly serviceUses: NamedService[]
  /**
   * Services such as schemas whose declarations belong in the chart, but were not passed to the
   * compiler. A chart without these declarations is incomplete, and runners refuse to run it.
   */
  readonly unresolved: NamedService[]
  /** Whether the config may start processes, such as MCP servers that communicate over stdio. */
  readonly allowProcesses: boolean
  /** All uses of unsupported features in the config. */
  readonly unsupported: UnsupportedUse[]
}
