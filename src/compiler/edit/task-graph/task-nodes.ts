import { referencesOf } from "../../2-resolve/task-graph/indexed-tasks.js"
import type { TaskConfigType } from "../../1-parse/task-graph/task-config.js"
import { keyOfField } from "../agents/agent-fields.js"
import { newAgent } from "../agents/new-agent.js"
import type { AddAgent, Placement, RemoveAgent } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { addChoices, predecessorsField, removeChoices, removePredecessors } from "./task-edges.js"
import { editableFields } from "./task-fields.js"
import type { NamedTask, TaskGraphText } from "./task-graph-text.js"
import { taskGraphName } from "./task-graph-text.js"

/** Default ids of new nodes, by node type. Only nodes of these types can be added. */
const baseIds = {
  http: "request",
  adk: "agents",
  confirmation: "confirmation",
  error_boundary: "failure",
} as const satisfies Partial<Record<TaskConfigType, string>>

type AddableTask = keyof typeof baseIds

/** The node types of a Graph Compose graph that users can add in the chart editor. */
export const addableTasks: readonly string[] = Object.keys(baseIds)

const isAddable = (type: string): type is AddableTask => Object.hasOwn(baseIds, type)

/** The HTTP request of a new node. It is a placeholder that the user replaces. */
const newRequest = { method: "GET", url: "https://example.com" } as const

/**
 * Adds a node to a Graph Compose graph, after another node or at the start of the graph. Returns
 * the id of the new node.
 */
export function addTask(
  { type, name, placement, fields = {} }: AddAgent,
  graph: TaskGraphText,
): string {
  if (!isAddable(type))
    throw new EditRefused(
      "type_unknown",
      `A node of type "${type}" cannot be added on the chart.`,
      `Choose one of: ${addableTasks.join(", ")}. Write other nodes in the text.`,
    )
  const before = nodeBefore(placement, graph)
  if (before === null && type === "error_boundary")
    throw new EditRefused(
      "placement_invalid",
      "An error boundary needs a node that it protects.",
      "Add the boundary after this node.",
    )
  const id = name === undefined ? freeId(baseIds[type], graph) : requireFreeId(name, graph)
  const values: Record<string, unknown> = {
    [graph.spellingOf("id")]: id,
    [graph.spellingOf("type")]: type,
    ...(before !== null && { [graph.spellingOf(predecessorsField(type))]: [before.id] }),
  }
  const required =
    type === "adk"
      ? { config: newWorkflow(graph) }
      : type === "confirmation"
        ? {}
        : { http: newRequest }
  for (const [field, value] of Object.entries({ ...required, ...fields })) {
    const key = keyOfField(field, editableFields(type), "graph-compose")
    if (key === null)
      throw new EditRefused(
        "field_unknown",
        `"${field}" is not a field that a new node of type ${type} can have.`,
        "Remove it.",
      )
    values[graph.spellingOf(key)] = value
  }
  const position = before === null ? {} : { index: graph.indexOf(before) + 1 }
  graph.changeList(graph.nodesPointer, { inserted: [values], ...position }, null)
  return id
}

/**
 * Returns the existing node on which a new node depends. Returns null if the new node has no
 * dependencies.
 */
function nodeBefore(placement: Placement, graph: TaskGraphText): NamedTask | null {
  if ("after" in placement) return graph.get(placement.after)
  if ("into" in placement && placement.into === taskGraphName) return null
  throw new EditRefused(
    "placement_invalid",
    "A node can only be added after another node, or at the start of the graph.",
    "Add the node after a node, and then connect its edges.",
  )
}

/**
 * Returns the workflow definition of a new adk node. It consists of one LlmAgent, which gets the
 * model of an agent in another adk node. If there is none, the model is `default`.
 */
function newWorkflow(graph: TaskGraphText): Readonly<Record<string, unknown>> {
  const other = graph.workflows.find(({ parsed }) => parsed.dialect === "graph-compose")
  const { name, fields } =
    other === undefined
      ? { name: "agent", fields: { type: "LlmAgent", id: "agent", model: "default" } }
      : newAgent({ type: "LlmAgent", name: undefined }, other)
  return { [graph.spellingOf("rootAgentId")]: name, agents: [fields] }
}

function freeId(base: string, graph: TaskGraphText): string {
  if (!graph.has(base)) return base
  let number = 2
  while (graph.has(`${base}_${number}`)) number++
  return `${base}_${number}`
}

function requireFreeId(id: string, graph: TaskGraphText): string {
  if (!/^[A-Za-z0-9_]{1,128}$/.test(id) || id in Object.prototype)
    throw new EditRefused(
      "name_invalid",
      `"${id}" is not a valid id of a node.`,
      'Use at most 128 letters, digits and "_".',
    )
  if (graph.has(id))
    throw new EditRefused(
      "name_taken",
      `The graph already has a node "${id}".`,
      "Choose another name.",
    )
  return id
}

/**
 * Removes a node from a Graph Compose graph. Nodes that depended on it then depend on its
 * predecessors. If `continueTo` of the removed node chose between these nodes, they only lose the
 * dependency. A forEach node and its endForEach node are removed together.
 */
export function removeTask({ name }: RemoveAgent, graph: TaskGraphText): null {
  const removed = withLoopEnds(graph.get(name), graph)
  const ids = new Set(removed.map(({ id }) => id))
  const isBridged = removed.every((task) => graph.choicesOf(task).length === 0)
  const added = new Map<string, NamedTask[]>()
  for (const task of graph.tasks) {
    const predecessors = referencesOf(task).map(({ id }) => id)
    if (ids.has(task.id) || !predecessors.some((id) => ids.has(id))) continue
    const bridges =
      isBridged && task.type !== "error_boundary" ? nodesBefore(predecessors, ids, graph) : []
    const inserted = bridges.filter((id) => !predecessors.includes(id))
    removePredecessors(task, ids, graph, inserted)
    for (const id of inserted) added.set(id, [...(added.get(id) ?? []), task])
  }
  for (const task of graph.tasks) {
    const choices = graph.choicesOf(task).filter(({ to }) => ids.has(to))
    if (ids.has(task.id) || choices.length === 0) continue
    const next = added.get(task.id) ?? []
    if (next.length === 0) removeChoices(task, ({ to }) => ids.has(to), graph)
    else moveChoices(task, choices, next, graph)
  }
  graph.changeList(
    graph.nodesPointer,
    { removed: removed.map((task) => graph.indexOf(task)) },
    null,
  )
  return null
}

/**
 * Changes entries of `continueTo` that lead to a removed node, so that they lead to the nodes after
 * it.
 */
function moveChoices(
  task: NamedTask,
  choices: ReturnType<TaskGraphText["choicesOf"]>,
  [first, ...others]: readonly NamedTask[],
  graph: TaskGraphText,
): void {
  for (const { pointer } of choices) graph.set(graph.fieldIn(pointer, "to"), first?.id, task)
  const further = choices.flatMap(({ when }) => others.map((to) => ({ to, when })))
  if (further.length > 0) addChoices(task, further, graph)
}

/**
 * Returns the node itself. For a forEach or endForEach node, also returns the node at the other end
 * of the loop.
 */
function withLoopEnds(task: NamedTask, { tasks }: TaskGraphText): readonly NamedTask[] {
  const start = task.type === "endForEach" ? task.forEachId?.id : task.id
  return tasks.filter(
    (other) =>
      other.id === task.id ||
      (other.type === "forEach" && other.id === start) ||
      (other.type === "endForEach" && other.forEachId?.id === start),
  )
}

/**
 * Returns the node ids in `predecessors`. Each id in `removed` is replaced by the predecessors of
 * its node.
 */
function nodesBefore(
  predecessors: readonly string[],
  removed: ReadonlySet<string>,
  graph: TaskGraphText,
): readonly string[] {
  const found = new Set<string>()
  const pending = [...predecessors]
  const seen = new Set(pending)
  for (const id of pending) {
    if (!removed.has(id)) {
      found.add(id)
      continue
    }
    const task = graph.get(id)
    const start = task.type === "endForEach" ? (task.forEachId?.id ?? null) : null
    const before = referencesOf(task).map(({ id }) => id)
    for (const each of before.length === 0 && start !== null ? [start] : before)
      if (!seen.has(each)) {
        seen.add(each)
        pending.push(each)
      }
  }
  return [...found]
}
