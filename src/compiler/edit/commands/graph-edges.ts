import type { EdgeConfig, ParsedWorkflowGraph } from "../../1-parse/config/agent-config.js"
import { startName } from "../../agent-types/graph-nodes.js"
import { pointerKeys } from "../../document/json-pointer.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { ConnectNodes, DisconnectNodes, NodeEdge } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { unsupportedLayout } from "../layout/layout.js"
import { draft } from "../layout/piece.js"

/** Returns an edge of a graph with the names of its nodes. */
export const graphEdge = ({ from, to, route, otherwise }: EdgeConfig): NodeEdge => ({
  from: from?.name.id ?? startName,
  to: to.name.id,
  route: otherwise ? "default" : route,
})

/** Adds an edge to a graph. Returns the node at its start, or at its end for the start of the graph. */
export function connectNodes(command: ConnectNodes, config: WorkflowText): string {
  const { name, from, to, route } = command
  const graph = graphOf(name, config)
  const known = new Set([startName, ...config.index.get(name).children])
  for (const node of [from, to])
    if (!known.has(node) || node === (node === to ? startName : null))
      throw new EditRefused(
        "agent_unknown",
        `The graph "${name}" has no node "${node}" to which an edge can be connected.`,
        "Choose a node of the graph.",
      )
  if (graph.edges.some((edge) => isEdge(edge, command)))
    throw new EditRefused(
      "edge_exists",
      `The edge from "${from}" to "${to}" exists already.`,
      "Choose another node or another route.",
    )
  const pointer = graph.fieldAt("edges").pointer
  const entries = config.dataAt(pointer)
  const fields = route === null ? { from, to } : { from, to, route }
  config.insert(pointer, Array.isArray(entries) ? entries.length : 0, draft(fields))
  return from === startName ? to : from
}

/** Removes an edge of a graph. The other edges of its entry are written as entries of their own. */
export function disconnectNodes(command: DisconnectNodes, config: WorkflowText): string {
  const { name, from, to } = command
  const graph = graphOf(name, config)
  const removed = graph.edges.find((edge) => isEdge(edge, command))
  if (removed === undefined)
    throw new EditRefused(
      "edge_unknown",
      `The graph "${name}" has no such edge from "${from}" to "${to}".`,
      "Choose an edge of the graph.",
    )
  const pointer = graph.fieldAt("edges").pointer
  const depth = pointerKeys(pointer).length
  const entryOf = ({ at }: EdgeConfig): number => Number(pointerKeys(at.pointer)[depth])
  const index = entryOf(removed)
  const others = graph.edges.filter((edge) => edge !== removed && entryOf(edge) === index)
  const { text } = config.take(pointer, index)
  const nodes = others.flatMap((edge) => [edge.from, edge.to])
  if (nodes.some((node) => node?.own?.at.pointer.startsWith(`${pointer}/${index}/`)))
    throw unsupportedLayout("The entry of this edge defines a node")
  const hasComment = config.layout.source.format === "yaml" && /(^|\s)#/m.test(text)
  if (others.length > 0 && hasComment)
    throw unsupportedLayout("The entry of this edge contains a comment and other edges")
  config.remove(pointer, index)
  for (const other of others) {
    const { route, ...ends } = graphEdge(other)
    const fields = other.otherwise
      ? { from: ends.from, default: ends.to }
      : { ...ends, ...(route !== null && { route }) }
    config.insert(pointer, index, draft(fields))
  }
  return from === startName ? to : from
}

function isEdge(edge: EdgeConfig, { from, to, route }: NodeEdge): boolean {
  const known = graphEdge(edge)
  return known.from === from && known.to === to && known.route === route
}

/** Returns the config of a graph whose edges this text contains. */
function graphOf(name: string, config: WorkflowText): ParsedWorkflowGraph {
  const graph = config.index.get(name)
  config.requireHere(graph)
  if (graph.config.type === "Workflow") return graph.config
  throw new EditRefused(
    "not_a_graph",
    `"${name}" is not a graph, so it has no edges.`,
    "Choose a node of a graph.",
  )
}
