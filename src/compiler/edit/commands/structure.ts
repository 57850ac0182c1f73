import type { AddAgent, MoveAgent } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { AgentUse, IndexedAgent } from "../agents/named-agents.js"
import type { NewAgent } from "../agents/new-agent.js"
import { inlinePiece, newAgent } from "../agents/new-agent.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import { isContainer } from "../agents/workflow-text.js"
import type { ListPiece } from "../layout/piece.js"
import { draft } from "../layout/piece.js"
import { addNode } from "./graph-nodes.js"

/**
 * Returns whether the sub-agents of an agent are references to the workflow's list of agents. In
 * the graph-compose dialect, the sub-agents of containers are references, and the sub-agents of
 * LlmAgents are complete agents.
 */
export const hasReferences = (parent: IndexedAgent, { parsed }: WorkflowText): boolean =>
  parsed.dialect === "graph-compose" && isContainer(parent)

/** Returns a list entry that refers to an agent in the workflow's list of agents. */
export const referenceTo = (name: string, { parsed }: WorkflowText): ListPiece =>
  draft({ [parsed.location.parser.naming.name("agentId")]: name })

/** Adds the definition of an agent to the end of the workflow's list of agents. */
export const define = (piece: ListPiece, config: WorkflowText): void =>
  config.insert(config.agentsPointer, listLength(config), piece)

function listLength(config: WorkflowText): number {
  const agents = config.dataAt(config.agentsPointer)
  return Array.isArray(agents) ? agents.length : 0
}

/** Adds a new agent to the sub-agents of another agent, or to the nodes of a graph. */
export function addAgent(command: AddAgent, config: WorkflowText): string {
  const node = addNode(command, config)
  if (node !== null) return node
  const { type, name, placement, fields } = command
  const { parent, index } = config.targetOf(placement)
  const added = newAgent({ type, name, fields }, config)
  const pointer = config.listPointer(parent)
  if (hasReferences(parent, config)) {
    config.insert(pointer, index, referenceTo(added.name, config))
    defineAll(added, config)
  } else config.insert(pointer, index, asDefinition(added, config))
  return added.name
}

/**
 * Returns the list entry that defines a new agent. In the graph-compose dialect, a container only
 * refers to its sub-agent, so the sub-agent is added to the workflow's list of agents.
 */
function asDefinition(added: NewAgent, config: WorkflowText): ListPiece {
  const { child, fields } = added
  if (child === null || config.parsed.dialect === "adk") return inlinePiece(added, config)
  defineAll(child, config)
  return {
    kind: "draft",
    fields,
    list: {
      name: config.spellingOf("subAgents", "LlmAgent"),
      pieces: [referenceTo(child.name, config)],
    },
  }
}

const defineAll = (added: NewAgent, config: WorkflowText): void =>
  define(asDefinition(added, config), config)

/** Moves an agent to another parent or to another index in its parent's list of sub-agents. */
export function moveAgent({ name, placement }: MoveAgent, config: WorkflowText): string {
  const agent = config.index.get(name)
  const use = config.onlyUse(agent)
  const { parent, index } = config.targetOf(placement)
  if (isInside(parent, agent, config))
    throw new EditRefused(
      "placement_invalid",
      `"${name}" cannot be moved into itself or its own sub-agents.`,
      "Choose a place outside the agent.",
    )
  const pointer = config.listPointer(use.parent)
  const target = config.listPointer(parent)
  if (pointer === target && (index === use.index || index === use.index + 1)) return name
  const piece = config.take(pointer, use.index)
  config.remove(pointer, use.index)
  config.insert(target, index, entryForParent(piece, agent, use, parent, config))
  return name
}

/** Returns whether `agent` is the agent `outer` or one of its direct or indirect sub-agents. */
function isInside(agent: IndexedAgent, outer: IndexedAgent, { index }: WorkflowText): boolean {
  const pending = [outer.name]
  const seen = new Set(pending)
  for (const name of pending) {
    if (name === agent.name) return true
    for (const child of index.find(name)?.children ?? []) {
      if (seen.has(child)) continue
      seen.add(child)
      pending.push(child)
    }
  }
  return false
}

/**
 * Returns the list entry for a sub-agent that moves to another parent. If only one of the two
 * parents contains references, the definition of the agent is moved to or from the workflow's list
 * of agents.
 */
export function entryForParent(
  piece: ListPiece,
  { name, listIndex, uses, tools }: IndexedAgent,
  use: AgentUse,
  parent: IndexedAgent,
  config: WorkflowText,
): ListPiece {
  const needsReference = hasReferences(parent, config)
  const needsDefinition = parent.config.type === "LlmAgent"
  if (!use.isReference && needsReference) {
    define(piece, config)
    return referenceTo(name, config)
  }
  if (!use.isReference || !needsDefinition) return piece
  if (config.hasCondition(use))
    throw new EditRefused(
      "condition_lost",
      `"${name}" has the condition "when", which has no effect as a sub-agent of "${parent.name}".`,
      "Remove the condition first.",
    )
  if (listIndex === null || uses.length > 1 || tools.length > 0)
    throw new EditRefused(
      "agent_in_use",
      `"${name}" is used in several places, but the sub-agents of "${parent.name}" are its own.`,
      "Copy the agent in the text, with another name.",
    )
  const definition = config.take(config.agentsPointer, listIndex)
  config.remove(config.agentsPointer, listIndex)
  return definition
}
