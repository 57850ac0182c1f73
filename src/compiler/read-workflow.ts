import type { WorkflowConfig } from "./1-parse/agent-config.js"
import { readAgent as readAdkAgent } from "./1-parse/adk/read-agent.js"
import { readTool as readAdkTool } from "./1-parse/adk/read-tool.js"
import { namedNode } from "./1-parse/adk/workflow-edges.js"
import { readWorkflowConfig as readAdkConfig } from "./1-parse/adk/read-workflow-config.js"
import type { ConfigDocument } from "./1-parse/json/config-document.js"
import type { Dialect } from "./1-parse/dialect.js"
import { dialectOf, dialects } from "./1-parse/dialect.js"
import { oneOf } from "./1-parse/fields/plain-values.js"
import type { FoundConfig } from "./1-parse/find-config.js"
import { findConfig, refuseStranger } from "./1-parse/find-config.js"
import { readAgent } from "./1-parse/graph-compose/read-agent.js"
import { readTool } from "./1-parse/graph-compose/read-tool.js"
import { readWorkflowConfig } from "./1-parse/graph-compose/read-workflow-config.js"
import { readObject } from "./1-parse/json/read-object.js"
import { readText } from "./1-parse/json/read-text.js"
import { createNaming } from "./1-parse/naming.js"
import type { Place } from "./1-parse/place.js"
import type { Reading } from "./1-parse/reading.js"
import { createReport } from "./1-parse/report.js"
import { createSuggest } from "./1-parse/suggest.js"
import type { Workflow } from "./2-resolve/agent-node.js"
import { resolveWorkflow } from "./2-resolve/resolve-workflow.js"
import type { SettingOptions } from "./2-resolve/settings.js"
import { optionPlace } from "./2-resolve/settings.js"
import { analyzeWorkflow } from "./3-analyze/analyze-workflow.js"
import type { Diagnostic } from "./diagnostics.js"

export interface ReadOptions extends SettingOptions {
  /** Otherwise the config's own `dialect`, otherwise what its form shows. */
  readonly dialect?: Dialect | undefined
  /** Id of the `adk` node to compile, for graphs that have several. */
  readonly node?: string | undefined
  /** What messages call the config; its file name, for example. */
  readonly file?: string | undefined
}

export interface ReadResult {
  /** Null when there are errors. */
  readonly workflow: Workflow | null
  readonly diagnostics: readonly Diagnostic[]
}

/** The first three phases: parse, resolve, analyze. Never throws for a bad config; it says everything that is wrong. */
export function readWorkflow(source: string | object, options: ReadOptions = {}): ReadResult {
  const found = createReport()
  const document = typeof source === "string" ? readText(source, found) : readObject(source, found)
  const workflow = document === null ? null : readDocument(document, options, found)
  return { workflow: found.hasErrors() ? null : workflow, diagnostics: found.diagnostics(document) }
}

function readDocument({ value }: ConfigDocument, options: ReadOptions, found: ReturnType<typeof createReport>): Workflow | null {
  const reading: Reading = {
    report: found,
    suggest: createSuggest(),
    naming: createNaming(),
    readAgent,
    readTool,
    readNode: namedNode,
    conditions: [],
    compiled: new Map(),
    templates: new Map(),
    unsupported: [],
  }
  const whole: Place = { reading, owner: { kind: "workflow", id: null, label: options.file === undefined ? "the workflow" : `the workflow in ${options.file}` }, field: "", pointer: "" }
  const config = findConfig(value, options.node, whole)
  if (config === null) return null
  const wanted = options.dialect === undefined ? null : oneOf(dialects)(options.dialect, optionPlace("dialect", whole))
  const dialect = dialectOf(config, wanted)
  const workflow = dialect === "adk" ? readAdk(config) : refuseStranger(config) ? null : readWorkflowConfig(config)
  if (workflow === null) return null
  const resolved = resolveWorkflow(workflow, dialect, options, config.at)
  if (resolved === null) return null
  analyzeWorkflow(resolved, reading.conditions)
  return resolved.workflow
}

/** In the words of ADK, wherever an agent or a tool stands. */
const readAdk = ({ at, ...found }: FoundConfig): WorkflowConfig | null =>
  readAdkConfig({ ...found, at: { ...at, reading: { ...at.reading, readAgent: readAdkAgent, readTool: readAdkTool } } })
