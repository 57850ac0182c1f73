import type { EdgeConfig, ParsedWorkflowGraph } from "../../1-parse/config/agent-config.js"
import { startName } from "../../agent-types/graph-nodes.js"
import type { AgentUse, IndexedAgent } from "../agents/named-agents.js"
import { inlinePiece, newAgent } from "../agents/new-agent.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { AddAgent, NodeEdge, Placement } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { addEdge, graphEdge, removeEdges } from "./graph-edges.js"

/**
 * The position of a new graph node. It consists of the graph and the node before the new node
 * (`from`), which can be `START`.
 */
interface NodePosition {
  readonly graph: IndexedAgent
  readonly from: string
}

/** Returns the position of a new graph node. Returns null if the placement is not in a graph. */
function nodePosition(placement: Placement, { index }: WorkflowText): NodePosition | null {
  if ("into" in placement) {
    const graph = index.get(placement.into)
    return graph.config.type === "Workflow" ? { graph, from: startName } : null
  }
  const { name, uses } = index.get("before" in placement ? placement.before : placement.after)
  const [use, other] = uses
  if (use?.parent.config.type !== "Workflow" || other !== undefined) return null
  if ("after" in placement) return { graph: use.parent, from: name }
  throw new EditRefused(
    "placement_invalid",
    `"${name}" is a node of the graph "${use.parent.name}", so an edge decides what runs before it.`,
    "Add the agent after a node, and connect it.",
  )
}

/**
 * Adds a node to a graph, with an edge from the node before it or from the start of the graph.
 * Returns the node's name. Returns null if the placement in the command is not in a graph.
 */
export function addNode(
  { type, name, placement, fields }: AddAgent,
  config: WorkflowText,
): string | null {
  const position = nodePosition(placement, config)
  const graph = position?.graph.config
  if (position === null || graph?.type !== "Workflow") return null
  config.requireHere(position.graph)
  const added = newAgent({ type, name, fields }, config)
  // The new edge and a new field with the nodes may be inserted at the same offset. In this case,
  // the edge must come first.
  addEdge({ from: position.from, to: added.name, route: null }, graph, config)
  const pointer = graph.fieldAt("nodes").pointer
  const nodes = config.dataAt(pointer)
  config.insert(pointer, Array.isArray(nodes) ? nodes.length : 0, inlinePiece(added, config))
  return added.name
}

/**
 * Removes a node and its edges from a graph. If the node does not choose a route, the nodes before
 * it are connected to the nodes after it.
 */
export function removeNode(
  name: string,
  { parent, location }: AgentUse,
  graph: ParsedWorkflowGraph,
  config: WorkflowText,
): void {
  config.requireHere(parent)
  const isRemoved = ({ from, to }: EdgeConfig): boolean =>
    from?.name.id === name || to.name.id === name
  for (const edge of bridges(name, graph)) addEdge(edge, graph, config)
  removeEdges(isRemoved, { graph, node: name }, config)
  const list = graph.fieldAt("nodes").pointer
  const index = location.pointer.startsWith(`${list}/`)
    ? location.pointer.slice(list.length + 1)
    : ""
  if (/^\d+$/.test(index)) config.remove(list, Number(index))
}

/**
 * Returns the edges to add when a node is removed. They connect the nodes before it directly to the
 * nodes after it.
 */
function bridges(name: string, graph: ParsedWorkflowGraph): readonly NodeEdge[] {
  const edges = graph.edges.map(graphEdge)
  const after = edges.filter(({ from, to }) => from === name && to !== name)
  if (after.some(({ route }) => route !== null)) return []
  const keyOf = ({ from, to, route }: NodeEdge): string => JSON.stringify([from, to, route])
  const known = new Set(edges.map(keyOf))
  return edges
    .filter(({ from, to }) => to === name && from !== name)
    .flatMap(({ from, route }) => after.map(({ to }) => ({ from, to, route })))
    .filter((edge) => {
      const isNew = edge.from !== edge.to && !known.has(keyOf(edge))
      known.add(keyOf(edge))
      return isNew
    })
}
