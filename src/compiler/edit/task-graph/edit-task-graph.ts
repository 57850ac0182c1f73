import type { EditCommand } from "../contract/edit-command.js"
import { agentOf, EditRefused } from "../contract/edit-command.js"
import { changeCondition, connectTasks, disconnectTasks } from "./task-edges.js"
import { setTaskField } from "./task-fields.js"
import type { TaskGraphText } from "./task-graph-text.js"
import { taskGraphName } from "./task-graph-text.js"
import { addTask, removeTask } from "./task-nodes.js"

/**
 * Returns whether a command changes the nodes of a Graph Compose graph instead of the agents inside
 * its adk nodes. If an agent and a node have the same name, the command usually changes the agent.
 * If the agent is the root agent of an adk node, two commands change the node instead. They remove
 * the agent, or add an agent before or after it.
 */
export function isNodeCommand(command: EditCommand, graph: TaskGraphText): boolean {
  const name = agentOf(command)
  if (name !== taskGraphName && !graph.has(name)) return false
  const owner = graph.workflows.find(({ index }) => index.has(name))
  if (owner === undefined) return true
  const isBeside =
    command.kind === "removeAgent" ||
    (command.kind === "addAgent" && !("into" in command.placement))
  return isBeside && owner.index.rootName === name
}

/**
 * Executes an edit command on the nodes of a Graph Compose graph. Returns the id of the changed
 * node, or null if the node was removed.
 */
export function executeOnNodes(command: EditCommand, graph: TaskGraphText): string | null {
  switch (command.kind) {
    case "addAgent":
      return addTask(command, graph)
    case "removeAgent":
      return removeTask(command, graph)
    case "connectNodes":
      return connectTasks(command, graph)
    case "disconnectNodes":
      return disconnectTasks(command, graph)
    case "changeRoute":
      return changeCondition(command, graph)
    case "setField":
      return setTaskField(command, graph)
    default:
      throw new EditRefused(
        "graph_unsupported",
        `"${agentOf(command)}" is a node of the graph. Nodes cannot be moved, wrapped or renamed on the chart.`,
        "Change the edges of the node, or edit the node in the text.",
      )
  }
}
