import type { UnwrapAgent, WrapAgents } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { IndexedAgent } from "../agents/named-agents.js"
import { headOf, newMaximum } from "../agents/new-agent.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import { isContainer } from "../agents/workflow-text.js"
import type { ListPiece } from "../layout/piece.js"
import { define, hasReferences, referenceTo, entryForParent } from "./structure.js"
import { wrapRoot } from "./wrap-root.js"

const wrapperNames = { SequentialAgent: "sequence", ParallelAgent: "parallel", LoopAgent: "loop" }

/**
 * Moves adjacent sub-agents of one agent into a new container, which takes their position. Returns
 * the name of the container.
 */
export function wrapAgents({ names, type, newName }: WrapAgents, config: WorkflowText): string {
  if (newName !== undefined) config.requireFree(newName)
  const name = newName ?? config.freeName(wrapperNames[type])
  const fields = {
    ...headOf(type, name, config),
    ...(type === "LoopAgent" && { [config.spellingOf("maxIterations", type)]: newMaximum }),
  }
  const list = config.spellingOf("subAgents", type)
  const agents = [...new Set(names)].map((each) => config.index.get(each))
  const [first] = agents
  if (first === undefined)
    throw new EditRefused("not_adjacent", "No agents are selected.", "Select at least one agent.")
  if (first.name === config.index.rootName && agents.length === 1) {
    wrapRoot(first, { name, fields, list }, config)
    return name
  }
  const { parent, indexes } = adjacentUses(agents, config)
  const pointer = config.listPointer(parent)
  const children = config.childrenByIndex(parent)
  const wrapper: ListPiece = {
    kind: "draft",
    fields,
    list: {
      name: list,
      pieces: indexes.map((index) => wrapped(index, { parent, children, pointer }, config)),
    },
  }
  for (const index of indexes) config.remove(pointer, index)
  const isListed = hasReferences(parent, config)
  config.insert(pointer, indexes[0] ?? 0, isListed ? referenceTo(name, config) : wrapper)
  if (isListed) define(wrapper, config)
  return name
}

interface Wrapped {
  readonly parent: IndexedAgent
  readonly children: ReadonlyMap<number, string>
  readonly pointer: string
}

/** Returns the list entry for a sub-agent that moves into a new container. */
function wrapped(
  index: number,
  { parent, children, pointer }: Wrapped,
  config: WorkflowText,
): ListPiece {
  const piece = config.take(pointer, index)
  const isDefinition = config.parsed.dialect === "graph-compose" && !isContainer(parent)
  const name = children.get(index)
  if (!isDefinition || name === undefined) return piece
  define(piece, config)
  return referenceTo(name, config)
}

/**
 * Returns the common parent of the agents, and their indexes in its list of sub-agents. Throws
 * EditRefused if the agents are not next to each other.
 */
function adjacentUses(
  agents: readonly IndexedAgent[],
  config: WorkflowText,
): { readonly parent: IndexedAgent; readonly indexes: readonly number[] } {
  const uses = agents
    .map((agent) => config.onlyUse(agent))
    .toSorted((one, other) => one.index - other.index)
  const [first] = uses
  if (
    first === undefined ||
    uses.some(({ parent, index }, step) => parent !== first.parent || index !== first.index + step)
  )
    throw new EditRefused(
      "not_adjacent",
      "The agents are not next to each other in the same list of sub-agents.",
      "Select agents that follow each other, or move them first.",
    )
  config.requireParent(first.parent)
  return { parent: first.parent, indexes: uses.map(({ index }) => index) }
}

/**
 * Replaces a container with its sub-agents. Returns the name of the first sub-agent, or null if
 * there is none.
 */
export function unwrapAgent({ name }: UnwrapAgent, config: WorkflowText): string | null {
  const agent = config.index.get(name)
  if (!isContainer(agent))
    throw new EditRefused(
      "not_a_container",
      `"${name}" is not a SequentialAgent, ParallelAgent or LoopAgent.`,
      "Choose a container.",
    )
  if (agent.tools.length > 0)
    throw new EditRefused(
      "agent_in_use",
      `The tool "${agent.tools[0]}" runs the agent "${name}".`,
      "Remove the tool in the text first.",
    )
  const use = config.onlyUse(agent)
  config.requireHere(agent)
  if (config.hasCondition(use))
    throw new EditRefused(
      "condition_lost",
      `"${name}" has the condition "when", which its sub-agents would not have.`,
      "Remove the condition first.",
    )
  const pointer = config.listPointer(use.parent)
  const inner = config.listPointer(agent)
  const children = config.childrenByIndex(agent)
  config.entriesOf(agent).forEach((_, index) => {
    const child = config.index.find(children.get(index) ?? "")
    const childUse = child?.uses.find((each) => each.parent === agent && each.index === index)
    const piece = config.take(inner, index)
    config.insert(
      pointer,
      use.index,
      child === undefined || childUse === undefined
        ? piece
        : entryForParent(piece, child, childUse, use.parent, config),
    )
  })
  config.remove(pointer, use.index)
  if (use.isReference && agent.listIndex !== null)
    config.remove(config.agentsPointer, agent.listIndex)
  return agent.children[0] ?? null
}
