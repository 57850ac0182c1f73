import type { AgentInTree } from "./agent-tree.js"
import { isGraph, isTask } from "./agent-tree.js"

/** The position at which a new agent is added, relative to the selected agent. */
export type AddPosition = "before" | "after" | "inside"

/** An action that the user can apply to the selected agent in the drawing. */
export type EditAction =
  | "addBefore"
  | "addAfter"
  | "addInside"
  | "wrap"
  | "unwrap"
  | "move"
  | "edges"
  | "earlier"
  | "later"
  | "rename"
  | "remove"
  | "fields"

/** The labels of the edit actions in menus. The menus use this order. */
export const actionNames: Readonly<Record<EditAction, string>> = {
  fields: "Edit fields",
  addBefore: "Add before",
  addAfter: "Add after",
  addInside: "Add inside",
  wrap: "Wrap in…",
  unwrap: "Unwrap",
  move: "Move…",
  edges: "Edges…",
  earlier: "Move earlier",
  later: "Move later",
  rename: "Rename",
  remove: "Remove",
}

/**
 * Returns the reason why an action is not possible for an agent, as a message for the user. Returns
 * null if the action seems possible. The server checks the command again.
 */
export function obstacleOf(action: EditAction, agent: AgentInTree): string | null {
  const { name, parent, siblings, isRoot, canHaveSubAgents, type, graph } = agent
  if (isTask(agent) && !isOffered(action, agent))
    return type === "graph"
      ? `${name} is the whole graph. Add nodes inside it.`
      : `${name} is a node of a graph. Change its edges and its fields, or edit it in the text.`
  const position = siblings.indexOf(name)
  const isMove = action === "move" || action === "earlier" || action === "later"
  if ((action === "addBefore" || action === "addAfter") && isRoot && graph === null)
    return `${name} is the root agent. Add inside it, or wrap it first.`
  if (action === "addBefore" && graph !== null)
    return `${name} is a node of a graph. Add after a node, and connect the new node.`
  if (action === "addInside" && !canHaveSubAgents && !isGraph(agent))
    return `${name} cannot contain agents. Add before or after it, or wrap it first.`
  if (isMove && isRoot) return `${name} is the root agent, so it has no other place.`
  if (isMove && parent === null) return `${name} is used in several places. Move it in the text.`
  if (action === "earlier" && position === 0) return `${name} is already the first in ${parent}.`
  if (action === "later" && position === siblings.length - 1)
    return `${name} is already the last in ${parent}.`
  if (action === "edges" && graph === null)
    return `${name} is not a node of a graph, so it has no edges.`
  if (action === "remove" && isRoot && graph === null)
    return `${name} is the root agent, which a workflow needs. Remove the agents in it instead.`
  return null
}

/** The edit actions that a node of a Graph Compose graph supports. */
const taskActions: ReadonlySet<EditAction> = new Set([
  "fields",
  "addBefore",
  "addAfter",
  "addInside",
  "edges",
  "remove",
])

/**
 * Returns whether the menu of an agent shows an action. Actions that can never apply to the agent
 * are hidden.
 */
export const isOffered = (action: EditAction, agent: AgentInTree): boolean => {
  const { isContainer, graph, type } = agent
  if (type === "graph") return action.startsWith("add")
  if (isTask(agent)) return taskActions.has(action)
  if (action === "unwrap") return isContainer
  if (action === "edges") return graph !== null
  return graph === null || (action !== "move" && action !== "earlier" && action !== "later")
}

/** The form that the chart editor shows below its toolbar, named after its action. */
export type OpenForm = AddPosition | "wrap" | "move" | "edges" | "rename"

export const isAddForm = (form: OpenForm | null): boolean =>
  form === "before" || form === "after" || form === "inside"

/** Returns the form that an action opens. Returns null if the action needs no form. */
export function formOf(action: EditAction): OpenForm | null {
  if (action === "addBefore") return "before"
  if (action === "addAfter") return "after"
  if (action === "addInside") return "inside"
  return action === "wrap" || action === "move" || action === "edges" || action === "rename"
    ? action
    : null
}

/** Returns the edit action that adds an agent before, after or inside the selected agent. */
export const actionOf = (position: AddPosition): EditAction =>
  position === "before" ? "addBefore" : position === "after" ? "addAfter" : "addInside"

/**
 * Returns the preselected action of the form that adds an agent. It is `addAfter`, or `addInside`
 * if an agent cannot be added after `agent`.
 */
export const firstAddAction = (agent: AgentInTree | null): EditAction =>
  agent !== null && obstacleOf("addAfter", agent) !== null ? "addInside" : "addAfter"
