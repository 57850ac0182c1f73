import type { ChartTask, ChartTaskGraph } from "../../machines/contract/graphs/chart-task-graph.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { Arrow, Level, PictureState, StateLook } from "../picture/picture.js"
import type { StateNames } from "./state-names.js"

const looks: Readonly<Record<ChartTask["type"], StateLook>> = {
  http: "ToolNode",
  destination: "ToolNode",
  source_iterator: "LoopAgent",
  forEach: "LoopAgent",
  endForEach: "JoinNode",
  error_boundary: "FunctionNode",
  confirmation: "HumanAgent",
  adk: "SequentialAgent",
}

/**
 * Converts a task graph of Graph Compose to states and arrows. Each node becomes a state, and each
 * dependency becomes an arrow. `workflow` draws the chart of an adk node.
 */
export function taskLevel(
  graph: unknown,
  names: StateNames,
  workflow: (chart: string) => Level,
): Level {
  const { nodes } = readTaskGraph(graph)
  const ids = nodes.map(({ id }) => names.next(id))
  const states = nodes.map((node, index) => drawTask(node, ids[index] ?? node.id, names, workflow))
  const arrows = nodes.flatMap((node, index) => arrowsTo(node, index, nodes, ids))
  const leaving = new Set(arrows.map(({ from }) => from))
  const ends = ids
    .filter((id) => !leaving.has(id))
    .map((id): Arrow => ({ from: id, to: null, labels: [] }))
  return { states, arrows: [...arrows, ...ends] }
}

/**
 * Returns the arrows that lead to a node. The arrows of an error boundary come from the nodes that
 * it protects. The arrows of other nodes come from their dependencies, or from the start mark.
 */
function arrowsTo(
  { dependencies, protects }: ChartTask,
  index: number,
  nodes: readonly ChartTask[],
  ids: readonly string[],
): readonly Arrow[] {
  const to = ids[index] ?? null
  const sources = protects ?? dependencies
  if (sources.length === 0) return [{ from: null, to, labels: [] }]
  return sources.map((source) => {
    const entries = (nodes[source]?.continueTo ?? []).filter((entry) => entry.to === index)
    const labels =
      protects === undefined ? entries.map(({ when }) => expressionIn(when)) : ["fails"]
    const arrow = { from: ids[source] ?? null, to, labels }
    return protects === undefined ? arrow : { ...arrow, kind: "failure" as const }
  })
}

function drawTask(
  node: ChartTask,
  id: string,
  names: StateNames,
  workflow: (chart: string) => Level,
): PictureState {
  const { type, loop, workflow: adk } = node
  const regions =
    loop !== undefined
      ? [taskLevel(loop.body, names, workflow)]
      : adk !== undefined
        ? [workflow(adk.chart)]
        : []
  const words = type.replace("_", " ")
  return {
    id,
    look: looks[type] ?? "ToolNode",
    title: regions.length > 0 ? `${node.id} (${[words, ...linesOf(node)].join(", ")})` : node.id,
    lines: regions.length > 0 ? [] : [words, ...linesOf(node)],
    regions,
    agent: node.id,
  }
}

/**
 * Returns text lines that summarize a node, for example `POST api.example.com/orders` or `polls`.
 */
function linesOf({ endpoint, loop, pollUntil, terminateWhen }: ChartTask): readonly string[] {
  return [
    ...(endpoint === undefined ? [] : [`${endpoint.method} ${withoutTemplates(endpoint.url)}`]),
    ...(loop?.concurrency === undefined ? [] : [`${loop.concurrency} at once`]),
    ...(pollUntil === undefined ? [] : ["polls"]),
    ...(terminateWhen === undefined ? [] : ["can end the run"]),
  ]
}

/**
 * Returns a URL without its scheme, and with `...` in place of each template expression. For
 * example, `https://api.example.com/users/{{ id }}` becomes `api.example.com/users/...`.
 */
export const withoutTemplates = (url: string): string =>
  url.replace(/^[a-z]+:\/\//i, "").replaceAll(/\{\{.*?\}\}/g, "...")

const expressionIn = (template: string): string =>
  template.replaceAll(/^\s*\{\{\s*|\s*\}\}\s*$/g, "")

/**
 * Returns the nodes of a task graph. Validates the graph, because a user may have edited the chart.
 * Invalid nodes are omitted.
 */
function readTaskGraph(graph: unknown): Pick<ChartTaskGraph, "nodes"> {
  const nodes = isJsonObject(graph) && Array.isArray(graph["nodes"]) ? graph["nodes"] : []
  return {
    // The compiler writes nodes in this form. In an edited chart, nodes without a list of
    // dependencies are omitted.
    nodes: nodes.filter(
      (node: unknown) => isJsonObject(node) && Array.isArray(node["dependencies"]),
    ) as readonly ChartTask[],
  }
}
