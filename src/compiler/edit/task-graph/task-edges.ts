import { referencesOf } from "../../2-resolve/task-graph/indexed-tasks.js"
import { pointerKeys } from "../../document/json-pointer.js"
import type {
  ChangeRoute,
  ConnectNodes,
  DisconnectNodes,
  NodeEdge,
} from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { NamedTask, TaskGraphText } from "./task-graph-text.js"

/**
 * Returns the name of the field that lists the predecessors of a node. This is `protectedNodes` for
 * an error boundary and `dependencies` for all other nodes.
 */
export const predecessorsField = (type: NamedTask["type"]) =>
  type === "error_boundary" ? "protectedNodes" : "dependencies"

/**
 * Returns the JSON pointer to the list of a node's predecessors. This is its list of dependencies,
 * or of protected nodes for an error boundary.
 */
const predecessorsPointer = (task: NamedTask): string =>
  task.fieldAt(predecessorsField(task.type)).pointer

/**
 * Adds an edge to a Graph Compose graph, by adding a dependency to the target node. If the edge has
 * a condition, also adds an entry to `continueTo` of the source node. Returns the id of the source
 * node.
 */
export function connectTasks({ from, to, route }: ConnectNodes, graph: TaskGraphText): string {
  const [before, after] = [graph.get(from), graph.get(to)]
  if (from === to)
    throw new EditRefused(
      "placement_invalid",
      `"${from}" cannot depend on itself.`,
      "Choose another node, or a forEach node to repeat nodes.",
    )
  if (after.type === "source_iterator")
    throw new EditRefused(
      "placement_invalid",
      `"${to}" is a source_iterator, which starts with the run.`,
      "Choose another node, or connect the nodes after it.",
    )
  const known = edgesBetween(from, to, graph)
  if (known.some((edge) => edge.route === route || edge.route === null))
    throw new EditRefused(
      "edge_exists",
      `The edge from "${from}" to "${to}" exists already.`,
      "Choose another node, or change the condition of this edge.",
    )
  if (known.length > 0 && route === null)
    throw new EditRefused(
      "edge_exists",
      `The edge from "${from}" to "${to}" has a condition.`,
      "Remove the condition of this edge.",
    )
  if (route !== null) addChoices(before, [{ to: after, when: route }], graph)
  if (known.length === 0) graph.changeList(predecessorsPointer(after), { inserted: [from] }, after)
  return from
}

/**
 * Removes an edge of a Graph Compose graph. If no other edge connects the same two nodes, also
 * removes the dependency. Returns the id of the source node.
 */
export function disconnectTasks(edge: DisconnectNodes, graph: TaskGraphText): string {
  const { from, to } = edge
  const known = requireEdge(edge, graph)
  const before = graph.get(from)
  removeChoices(before, ({ to: chosen, when }) => chosen === to && when === edge.route, graph)
  if (known.length === 1) removePredecessors(graph.get(to), new Set([from]), graph)
  return from
}

/**
 * Changes, adds or removes the condition of an edge in a Graph Compose graph. Returns the id of the
 * source node.
 */
export function changeCondition(edge: ChangeRoute, graph: TaskGraphText): string {
  const { from, to, route, newRoute } = edge
  const known = requireEdge(edge, graph)
  const before = graph.get(from)
  if (newRoute === route) return from
  if (known.some((other) => other.route === newRoute))
    throw new EditRefused(
      "edge_exists",
      `The edge from "${from}" to "${to}" with this condition exists already.`,
      "Write another condition, or disconnect one of the edges.",
    )
  if (newRoute === null) removeChoices(before, (entry) => entry.to === to, graph)
  else if (route === null) addChoices(before, [{ to: graph.get(to), when: newRoute }], graph)
  else
    for (const entry of graph.choicesOf(before))
      if (entry.to === to && entry.when === route)
        graph.set(graph.fieldIn(entry.pointer, "when"), newRoute, before)
  return from
}

/**
 * Adds entries to `continueTo` of an http node. Throws EditRefused if the node has another type.
 */
export function addChoices(
  before: NamedTask,
  choices: readonly { readonly to: NamedTask; readonly when: string }[],
  graph: TaskGraphText,
): void {
  if (before.type !== "http")
    throw new EditRefused(
      "condition_unsupported",
      `"${before.id}" is not an http node, so the edges after it cannot have conditions.`,
      "Leave the condition empty, or add an http node that chooses the next node.",
    )
  const boundary = choices.find(({ to }) => to.type === "error_boundary")
  if (boundary !== undefined)
    throw new EditRefused(
      "condition_unsupported",
      `"${boundary.to.id}" is an error boundary, which runs when a protected node fails.`,
      "Leave the condition empty.",
    )
  const inserted = choices.map(({ to, when }) => ({ to: to.id, when }))
  graph.changeList(continueToPointer(before, graph), { inserted }, before)
}

/** Removes entries from a node's `continueTo`. If no entry remains, removes the whole field. */
export function removeChoices(
  task: NamedTask,
  isRemoved: (choice: { readonly to: string; readonly when: string }) => boolean,
  graph: TaskGraphText,
): void {
  const removed = graph.choicesOf(task).flatMap((entry) => (isRemoved(entry) ? entry.pointer : []))
  if (removed.length === 0) return
  const list = continueToPointer(task, graph)
  const entries = graph.dataAt(list)
  if (Array.isArray(entries) && entries.length === removed.length)
    return graph.set(list, undefined, task)
  graph.changeList(list, { removed: removed.map(lastIndex) }, task)
}

/**
 * Removes ids from the list of a node's predecessors, and adds the ids in `inserted`. This list is
 * `protectedNodes` for an error boundary and `dependencies` for all other nodes.
 */
export function removePredecessors(
  task: NamedTask,
  ids: ReadonlySet<string>,
  graph: TaskGraphText,
  inserted: readonly string[] = [],
): void {
  const removed = referencesOf(task).flatMap(({ id, location }) =>
    ids.has(id) ? lastIndex(location.pointer) : [],
  )
  graph.changeList(predecessorsPointer(task), { removed, inserted }, task)
}

const lastIndex = (pointer: string): number => Number(pointerKeys(pointer).at(-1))

const continueToPointer = (task: NamedTask, graph: TaskGraphText): string =>
  graph.fieldIn(task.fieldAt("conditions").pointer, "continueTo")

const edgesBetween = (from: string, to: string, graph: TaskGraphText): readonly NodeEdge[] =>
  graph.edges().filter((edge) => edge.from === from && edge.to === to)

/**
 * Returns all edges with the same source and target, including edges with other conditions. Throws
 * EditRefused if the graph does not contain the given edge.
 */
function requireEdge({ from, to, route }: NodeEdge, graph: TaskGraphText): readonly NodeEdge[] {
  const known = edgesBetween(from, to, graph)
  if (known.some((edge) => edge.route === route)) return known
  throw new EditRefused(
    "edge_unknown",
    `The graph has no such edge from "${from}" to "${to}".`,
    "Choose an edge of the graph.",
  )
}
