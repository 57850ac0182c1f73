import type { RemoveAgent } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { IndexedAgent } from "../agents/named-agents.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import { removeNode } from "./graph-nodes.js"

/**
 * Removes an agent. Also removes agents from the workflow's list of agents that only the removed
 * agent used.
 */
export function removeAgent({ name }: RemoveAgent, config: WorkflowText): null {
  const { index } = config
  const agent = index.get(name)
  if (name === index.rootName)
    throw new EditRefused(
      "agent_is_root",
      `"${name}" is the root agent.`,
      "A workflow needs a root agent. Change its fields, or replace it in the text.",
    )
  if (agent.tools.length > 0)
    throw new EditRefused(
      "agent_in_use",
      `The tool "${agent.tools[0]}" runs the agent "${name}".`,
      "Remove the tool in the text first.",
    )
  for (const use of agent.uses) {
    const parent = use.parent.config
    if (parent.type === "Workflow") {
      removeNode(name, use, parent, config)
      continue
    }
    if (use.index < 0 || !config.isInDocument(use.location))
      config.onlyUse({ ...agent, uses: [use] })
    config.remove(config.listPointer(use.parent), use.index)
  }
  for (const { listIndex, config: own } of removedWith(agent, config))
    if (listIndex !== null && config.isInDocument(own.location))
      config.remove(config.agentsPointer, listIndex)
  return null
}

/** Returns an agent and all agents that are only used by it, directly or indirectly. */
function removedWith(agent: IndexedAgent, { index }: WorkflowText): ReadonlySet<IndexedAgent> {
  const removed = new Set([agent])
  const usesLeft = new Map<IndexedAgent, number>()
  for (const { children } of removed)
    for (const name of children) {
      const child = index.find(name)
      if (child === undefined || removed.has(child)) continue
      const left = (usesLeft.get(child) ?? child.uses.length) - 1
      usesLeft.set(child, left)
      if (left === 0 && child.tools.length === 0 && name !== index.rootName) removed.add(child)
    }
  return removed
}
