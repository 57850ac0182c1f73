import type { WorkflowConfig } from "./1-parse/config/workflow-config.js"
import type { ParserLocation } from "./1-parse/context/parser-context.js"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import { readSource } from "./1-parse/files/read-source.js"
import { readAdkTask } from "./1-parse/task-graph/read-adk-task.js"
import { readTaskGraph } from "./1-parse/task-graph/read-task-graph.js"
import type { TaskGraphConfig } from "./1-parse/task-graph/task-config.js"
import type { FoundConfig } from "./1-parse/workflow/find-config.js"
import type { Dialect } from "./agent-types/dialects.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import { createReport } from "./diagnostics/report.js"
import type { ConfigDocument } from "./document/config-document.js"
import type { ReadOptions } from "./read-workflow.js"
import { configIn, parseFound } from "./read-workflow.js"

/**
 * A parsed workflow config. Its references to agents and tools are not resolved yet, and parts of
 * the config may be invalid.
 */
export interface ParsedWorkflow {
  readonly dialect: Dialect
  readonly workflow: WorkflowConfig
  readonly document: ConfigDocument
  /** The location of the workflow in the document, with the state of the parser. */
  readonly location: ParserLocation
}

/**
 * Parses a config without resolving its references. Returns the workflow of the config, or the
 * workflows in the `adk` nodes of a graph. Workflows that cannot be parsed are omitted.
 */
export function parseWorkflows(
  source: string | object | ConfigFolder,
  options: ReadOptions = {},
): {
  readonly workflows: readonly ParsedWorkflow[]
  /**
   * The Graph Compose graph in the config. Null if the config is a workflow or cannot be parsed.
   */
  readonly graph: TaskGraphConfig | null
  readonly document: ConfigDocument | null
  readonly diagnostics: readonly Diagnostic[]
} {
  const found = createReport()
  const { document, files } = readSource(source, found)
  const config = document && configIn(document, files, options, found, null)
  const graph = config?.type === "graph" ? readTaskGraph(config.graph, config.location) : null
  const configs = config?.type === "workflow" ? [config] : workflowsIn(graph)
  const workflows =
    document === null
      ? []
      : configs.flatMap((each): readonly ParsedWorkflow[] => {
          const { dialect, workflow } = parseFound(each, options, files !== null)
          return workflow === null ? [] : [{ dialect, workflow, document, location: each.location }]
        })
  return { workflows, graph, document, diagnostics: found.diagnostics() }
}

const workflowsIn = (graph: TaskGraphConfig | null): readonly FoundConfig[] =>
  (graph?.tasks ?? []).flatMap((task) =>
    task.type === "adk" ? (readAdkTask(task, graph?.context ?? {}) ?? []) : [],
  )
