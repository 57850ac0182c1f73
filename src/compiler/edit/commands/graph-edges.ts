import type { EdgeConfig, ParsedWorkflowGraph } from "../../1-parse/config/agent-config.js"
import { startName } from "../../agent-types/graph-nodes.js"
import { childPointer, pointerKeys } from "../../document/json-pointer.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type {
  ChangeRoute,
  ConnectNodes,
  DisconnectNodes,
  NodeEdge,
} from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { unsupportedLayout } from "../layout/layout.js"
import { draft } from "../layout/piece.js"
import { setValue } from "../layout/update-value.js"

/**
 * Converts a parsed graph edge to the form that edit commands use, with node names at both ends.
 */
export const graphEdge = ({ from, to, route, otherwise }: EdgeConfig): NodeEdge => ({
  from: from?.name.id ?? startName,
  to: to.name.id,
  route: otherwise ? "default" : route,
})

/**
 * Adds an edge to a graph. Returns the name of the changed node. This is the source of the edge, or
 * its target if the source is the start of the graph.
 */
export function connectNodes(command: ConnectNodes, config: WorkflowText): string {
  const { name, from, to } = command
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
  addEdge(command, graph, config)
  return from === startName ? to : from
}

/** Adds an edge at the end of a graph's list of edges. */
export function addEdge(edge: NodeEdge, graph: ParsedWorkflowGraph, config: WorkflowText): void {
  const pointer = graph.fieldAt("edges").pointer
  const entries = config.dataAt(pointer)
  config.insert(pointer, Array.isArray(entries) ? entries.length : 0, draft(entryOf(edge)))
}

/**
 * Removes an edge of a graph, including all of its duplicates. Returns the name of the changed
 * node. This is the source of the edge, or its target if the source is the start of the graph.
 */
export function disconnectNodes(command: DisconnectNodes, config: WorkflowText): string {
  const { name, from, to } = command
  const graph = graphOf(name, config)
  requireEdge(command, graph)
  removeEdges((edge) => isEdge(edge, command), { graph, node: null }, config)
  return from === startName ? to : from
}

/**
 * Changes the route of a graph edge. If the edge's list entry contains only this edge, the entry is
 * rewritten in place. Otherwise, the edge gets a separate entry at the end of the list. Returns the
 * name of the changed node.
 */
export function changeRoute(command: ChangeRoute, config: WorkflowText): string {
  const { name, from, to, route, newRoute } = command
  const graph = graphOf(name, config)
  requireEdge(command, graph)
  const changed = { from, to, route: newRoute }
  if (newRoute === route) return from === startName ? to : from
  if (graph.edges.some((edge) => isEdge(edge, changed)))
    throw new EditRefused(
      "edge_exists",
      `The edge from "${from}" to "${to}" with this route exists already.`,
      "Write another route, or disconnect one of the edges.",
    )
  const written = entriesOf(graph)
  const [own, other] = [...written].filter(([, edges]) =>
    edges.some((edge) => isEdge(edge, command)),
  )
  if (own === undefined || other !== undefined || own[1].length > 1 || own[1].some(definesNode)) {
    removeEdges((edge) => isEdge(edge, command), { graph, node: null }, config)
    addEdge(changed, graph, config)
    return from === startName ? to : from
  }
  const entry = childPointer(graph.fieldAt("edges").pointer, own[0])
  const options = {
    layout: config.layout,
    dataAt: (pointer: string) => config.dataAt(pointer),
    before: "",
  }
  for (const edit of setValue(entry, entryOf(changed), options)) config.edit(edit)
  return from === startName ? to : from
}

const definesNode = ({ from, to }: EdgeConfig): boolean =>
  [from, to].some((end) => definesOther(end, null))

/**
 * Returns the edges in each entry of a graph's list of edges, by index of the entry. One entry,
 * such as a chain, can contain several edges.
 */
function entriesOf(graph: ParsedWorkflowGraph): ReadonlyMap<number, readonly EdgeConfig[]> {
  const depth = pointerKeys(graph.fieldAt("edges").pointer).length
  const entries = new Map<number, EdgeConfig[]>()
  for (const edge of graph.writtenEdges) {
    const index = Number(pointerKeys(edge.location.pointer)[depth])
    entries.set(index, [...(entries.get(index) ?? []), edge])
  }
  return entries
}

/** Throws EditRefused if the graph does not contain the edge. */
function requireEdge(edge: DisconnectNodes | ChangeRoute, graph: ParsedWorkflowGraph): void {
  if (graph.edges.some((known) => isEdge(known, edge))) return
  throw new EditRefused(
    "edge_unknown",
    `The graph "${edge.name}" has no such edge from "${edge.from}" to "${edge.to}".`,
    "Choose an edge of the graph.",
  )
}

interface EdgesOf {
  readonly graph: ParsedWorkflowGraph
  /**
   * The graph node that is removed in the same command as its edges. Null if the command only
   * removes edges.
   */
  readonly node: string | null
}

/**
 * Removes edges of a graph. If a list entry also contains other edges, each of these gets a
 * separate entry.
 */
export function removeEdges(
  isRemoved: (edge: EdgeConfig) => boolean,
  { graph, node }: EdgesOf,
  config: WorkflowText,
): void {
  const pointer = graph.fieldAt("edges").pointer
  for (const [index, edges] of entriesOf(graph)) {
    const others = edges.filter((edge) => !isRemoved(edge))
    if (others.length === edges.length) continue
    const { text } = config.take(pointer, index)
    if (edges.some(({ from, to }) => [from, to].some((end) => definesOther(end, node))))
      throw unsupportedLayout("The entry of this edge defines a node")
    const hasComment = config.layout.source.format === "yaml" && /(^|\s)#/m.test(text)
    if (others.length > 0 && hasComment)
      throw unsupportedLayout("The entry of this edge contains a comment and other edges")
    config.remove(pointer, index)
    for (const other of others) config.insert(pointer, index, draft(entryOf(graphEdge(other))))
  }
}

/**
 * Returns whether one end of an edge defines a node that is not the removed node. Removing the edge
 * would also remove this definition.
 */
const definesOther = (end: EdgeConfig["from"], removed: string | null): boolean =>
  end !== null && end.own !== null && end.name.id !== removed

/** Returns the entry for an edge in a graph's list of edges. */
const entryOf = ({ from, to, route }: NodeEdge): Readonly<Record<string, string>> =>
  route === "default" ? { from, default: to } : { from, to, ...(route !== null && { route }) }

function isEdge(edge: EdgeConfig, { from, to, route }: NodeEdge): boolean {
  const known = graphEdge(edge)
  return known.from === from && known.to === to && known.route === route
}

/**
 * Returns the parsed graph with this name. Throws EditRefused if the agent is not a graph, or if
 * another file defines it.
 */
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
