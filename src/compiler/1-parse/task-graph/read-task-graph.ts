import { taskGraph } from "../../agent-types/task-graph.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { TaskGraphConfig } from "./task-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { sharedReaders } from "../fields/value-readers.js"
import { url } from "../fields/http-config.js"
import { taskReaders } from "./node-values.js"
import { readTask } from "./read-task.js"

const table = describedTable(taskGraph, "graph-compose", { ...sharedReaders, ...taskReaders, url })

/**
 * Parses a Graph Compose graph with all of its nodes. Returns null if its list of nodes is missing
 * or invalid.
 */
export function readTaskGraph(
  graph: Readonly<Record<string, unknown>>,
  location: ParserLocation,
): TaskGraphConfig | null {
  const { values, locationOf: fieldAt } = readDescribed(graph, table, location)
  const { nodes, context, webhookUrl, workflowConfig } = values
  if (nodes === null) return null
  return {
    tasks: nodes.flatMap((node, index) => readTask(node, fieldOf(fieldAt("nodes"), index)) ?? []),
    context: context ?? {},
    webhookUrl,
    timeoutMs: workflowConfig?.workflowExecutionTimeout ?? null,
    location,
  }
}
