import { ParseBudget } from "../template/limits/parse-budget.js"
import type { WorkflowConfig } from "./1-parse/config/workflow-config.js"
import { readAgent as readAdkAgent } from "./1-parse/adk/read-agent.js"
import { modelName } from "./1-parse/adk/values/llm-agent-values.js"
import { plugins as readPlugins } from "./1-parse/adk/plugins.js"
import { readTool as readAdkTool } from "./1-parse/adk/tools/read-tool.js"
import { readNode } from "./1-parse/adk/graphs/node-references.js"
import { readWorkflowConfig as readAdkConfig } from "./1-parse/adk/read-workflow-config.js"
import type { ConfigDocument } from "./document/config-document.js"
import type { Dialect } from "./agent-types/dialects.js"
import { dialects } from "./agent-types/dialects.js"
import { dialectOf } from "./1-parse/workflow/dialect.js"
import { flag, oneOf } from "./1-parse/fields/plain-values.js"
import type { FoundConfig, FoundGraph } from "./1-parse/workflow/find-config.js"
import { duration } from "./1-parse/fields/duration.js"
import { readAdkTask } from "./1-parse/task-graph/read-adk-task.js"
import { readTaskGraph } from "./1-parse/task-graph/read-task-graph.js"
import { resolveTaskGraph } from "./2-resolve/task-graph/resolve-task-graph.js"
import type { TaskGraphTree } from "./2-resolve/task-graph/task-tree.js"
import { analyzeTaskGraph } from "./3-analyze/task-graph/analyze-task-graph.js"
import { findConfig, refuseStranger } from "./1-parse/workflow/find-config.js"
import type { CompileFile } from "./1-parse/config/called-workflow.js"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import type { OpenFiles } from "./1-parse/files/open-files.js"
import { openFiles } from "./1-parse/files/open-files.js"
import { readAgent } from "./1-parse/graph-compose/read-agent.js"
import { readTool } from "./1-parse/graph-compose/read-tool.js"
import { readWorkflowConfig } from "./1-parse/graph-compose/read-workflow-config.js"
import { createNaming } from "./diagnostics/naming.js"
import type { ParserLocation } from "./1-parse/context/parser-context.js"
import type { ParserContext } from "./1-parse/context/parser-context.js"
import { readSource } from "./1-parse/files/read-source.js"
import type { Report } from "./diagnostics/report.js"
import { createReport } from "./diagnostics/report.js"
import { nothingKnown } from "./1-parse/context/known-services.js"
import { readServices } from "./1-parse/workflow/read-services.js"
import type { ServiceDeclaration } from "./1-parse/context/service-declaration.js"
import { warnOfMissingServices } from "./1-parse/context/service-uses.js"
import { createSuggest } from "../machines/data/suggest.js"
import type { WorkflowTree } from "./2-resolve/agent-node.js"
import { resolveWorkflow } from "./2-resolve/resolve-workflow.js"
import type { SettingOptions } from "./2-resolve/settings.js"
import { optionLocation } from "./2-resolve/settings.js"
import { analyzeWorkflow } from "./3-analyze/analyze-workflow.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"

export interface ReadOptions extends SettingOptions {
  /**
   * The dialect of the config. The default is `adk` for a folder. For any other config, the default
   * is its field `dialect`. Without this field, the dialect is detected from the form of the
   * config.
   */
  readonly dialect?: Dialect | undefined
  /**
   * Id of the `adk` node to compile. Without this option, a Graph Compose graph is compiled as a
   * whole.
   */
  readonly node?: string | undefined
  /**
   * Folder of a config that is passed as text or as an object. Its `root` is the path of this
   * config. The compiler needs the folder to open files that the config refers to, such as
   * `workflowFile` and OpenAPI documents.
   */
  readonly folder?: ConfigFolder | undefined
  /** Name of the config in diagnostics, such as its file name. */
  readonly file?: string | undefined
  /**
   * Declarations of the services that the runner has. If set, a warning is reported for each
   * unknown service name, and schemas that the config refers to by name are copied into the chart.
   */
  readonly services?: readonly ServiceDeclaration[] | undefined
  /**
   * Plugins of the runner (adk dialect only). They are called before the plugins in the config.
   * Each entry is the name of a plugin in `services`, or an object in the format of the config
   * field `plugins`.
   */
  readonly plugins?: readonly (string | object)[] | undefined
  /** Name of the model for agents that have no model and do not inherit one (adk dialect only). */
  readonly defaultModel?: string | undefined
  /**
   * Whether the config may start processes, such as MCP servers that communicate over stdio. The
   * compiler itself never starts a process. Default: false.
   */
  readonly allowProcesses?: boolean | undefined
}

export interface ReadResult {
  /** The resolved workflow. Null if the config has errors or is a Graph Compose graph. */
  readonly workflow: WorkflowTree | null
  /** The resolved Graph Compose graph. Null if the config has errors or is not a graph. */
  readonly graph: TaskGraphTree | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs the first three phases of the compiler: parse, resolve and analyze. Never throws for an
 * invalid config. Instead, reports every problem as a diagnostic. `compileFile` compiles the
 * workflows that the config calls by file.
 */
export function readWorkflow(
  source: string | object | ConfigFolder,
  options: ReadOptions = {},
  compileFile: CompileFile | null = null,
): ReadResult {
  const found = createReport()
  const { document, files } = readSource(source, found)
  const read = document === null ? null : readDocument(document, files, options, found, compileFile)
  const result = found.hasErrors() || read === null ? nothingRead : read
  return { ...result, diagnostics: found.diagnostics() }
}

function readDocument(
  document: ConfigDocument,
  files: OpenFiles | null,
  options: ReadOptions,
  found: Report,
  compileFile: CompileFile | null,
): ReadDocument | null {
  const config = configIn(document, files, options, found, compileFile)
  if (config === null) return null
  if (config.type === "graph") {
    const graph = readGraph(config, options)
    return graph && { workflow: null, graph }
  }
  const workflow = readFound(config, options, files !== null)
  return workflow && { workflow, graph: null }
}

/**
 * Returns the workflow definition or the Graph Compose graph in a document. If the document
 * contains neither, reports an error and returns null.
 */
export function configIn(
  document: ConfigDocument,
  files: OpenFiles | null,
  options: ReadOptions,
  found: Report,
  compileFile: CompileFile | null,
): FoundConfig | FoundGraph | null {
  const { value, file } = document
  const { folder } = options
  const bare: ParserContext = {
    report: found,
    suggest: createSuggest(),
    naming: createNaming(document.format === "yaml"),
    readAgent,
    readTool,
    readNode,
    conditions: [],
    compiled: new Map(),
    templates: new Map(),
    parsing: new ParseBudget(),
    files,
    dataFiles: files ?? (folder === undefined ? null : openFiles(folder, found)),
    compileFile,
    filesAround: file === null ? [] : [file],
    graphNodes: new Map(),
    services: nothingKnown,
    serviceUses: [],
    unresolved: [],
    allowProcesses: false,
    unsupported: [],
  }
  const name = file ?? options.file
  const owner = {
    kind: "workflow",
    id: null,
    label: name === undefined ? "the workflow" : `the workflow in ${name}`,
  } as const
  const start: ParserLocation = { parser: bare, document, owner, field: "", pointer: "" }
  const parser = withOptions(bare, options, start)
  const whole = { ...start, parser }
  return findConfig(value, options.node, whole)
}

/**
 * A resolved config, which is either a workflow or a Graph Compose graph. The other field is null.
 * Both fields are null if the config has errors.
 */
type ReadDocument = Pick<ReadResult, "workflow" | "graph">

const nothingRead: ReadDocument = { workflow: null, graph: null }

/**
 * Parses a workflow definition and returns it with its dialect. `workflow` is null if the
 * definition cannot be parsed.
 */
export function parseFound(
  config: FoundConfig,
  options: ReadOptions,
  isFolder: boolean,
): { readonly dialect: Dialect; readonly workflow: WorkflowConfig | null } {
  const wanted =
    options.dialect === undefined
      ? null
      : oneOf(dialects)(options.dialect, optionLocation("dialect", config.location))
  const dialect = dialectOf(config, wanted ?? (isFolder ? "adk" : null))
  const workflow =
    dialect === "adk"
      ? readAdk(config, options)
      : refuseStranger(config)
        ? null
        : readWorkflowConfig(config)
  return { dialect, workflow }
}

/**
 * Parses, resolves and analyzes a workflow definition. Returns null if it has errors, which are
 * already reported.
 */
function readFound(
  config: FoundConfig,
  options: ReadOptions,
  isFolder: boolean,
): WorkflowTree | null {
  const { parser } = config.location
  const { dialect, workflow } = parseFound(config, options, isFolder)
  if (workflow === null) return null
  const resolved = resolveWorkflow(workflow, dialect, options, config.location)
  warnOfMissingServices(parser)
  if (resolved === null) return null
  analyzeWorkflow(resolved, parser.conditions)
  return resolved.workflow
}

/**
 * Parses, resolves and analyzes a Graph Compose graph and the workflows in its `adk` nodes. Returns
 * null if it has errors, which are already reported.
 */
function readGraph({ graph, location }: FoundGraph, options: ReadOptions): TaskGraphTree | null {
  const config = readTaskGraph(graph, location)
  if (config === null) return null
  const { maxDuration: _ofRun, ...ofNodes } = options
  const resolved = resolveTaskGraph(config, (task) => {
    const found = readAdkTask(task, config.context)
    return found && readFound(found, ofNodes, false)
  })
  if (resolved === null) return null
  analyzeTaskGraph(resolved)
  const limit = options.maxDuration ?? null
  return {
    ...resolved.tree,
    timeoutMs:
      (limit === null ? null : duration(limit, optionLocation("maxDuration", location))) ??
      resolved.tree.timeoutMs,
  }
}

/**
 * Returns the parser state with the services and permissions from the compile options. Options can
 * come from command lines and untyped code, so they are validated like the config.
 */
function withOptions(
  parser: ParserContext,
  { services, allowProcesses }: ReadOptions,
  start: ParserLocation,
): ParserContext {
  // The naming convention of the options must not influence the detected naming convention of the
  // config.
  const location = { ...start, parser: { ...parser, naming: createNaming() } }
  return {
    ...parser,
    services:
      services === undefined
        ? nothingKnown
        : readServices(services, optionLocation("services", location)),
    allowProcesses:
      allowProcesses === undefined
        ? false
        : (flag(allowProcesses, optionLocation("allowProcesses", location)) ?? false),
  }
}

/**
 * Parses a config in the adk dialect, and adds the plugins and the default model from the compile
 * options.
 */
function readAdk(
  { location, ...found }: FoundConfig,
  { plugins, defaultModel }: ReadOptions,
): WorkflowConfig | null {
  const adk = {
    ...location,
    parser: { ...location.parser, readAgent: readAdkAgent, readTool: readAdkTool },
  }
  const config = readAdkConfig({ ...found, location: adk })
  const outer =
    plugins === undefined ? [] : (readPlugins(plugins, optionLocation("plugins", adk)) ?? [])
  const model =
    defaultModel === undefined ? null : modelName(defaultModel, optionLocation("defaultModel", adk))
  return config && { ...config, plugins: [...outer, ...config.plugins], defaultModel: model }
}
