import type { EditableAgent } from "../../edit-api.js"

/** An agent of a workflow, with the names of its siblings and the graph that contains it. */
export interface AgentInTree extends EditableAgent {
  /** Names of all sub-agents of this agent's parent, in order. Includes this agent. */
  readonly siblings: readonly string[]
  /** The graph in which this agent is a node. Null if the agent is not a node of a graph. */
  readonly graph: EditableAgent | null
}

/**
 * Returns whether an agent is a graph. This is a Workflow (ADK), or the whole graph of a Graph
 * Compose file.
 */
export const isGraph = ({ type }: EditableAgent): boolean => type === "Workflow" || type === "graph"

/**
 * Returns whether an entry is a Graph Compose graph or one of its nodes. Returns false for a node
 * that contains an agent of the same name, because the entry then represents this agent.
 */
export const isTask = ({ type, graph, isRoot }: AgentInTree): boolean =>
  type === "graph" || (graph?.type === "graph" && !isRoot)

/**
 * Returns the agents of a workflow in the order of the chart. Each agent precedes its sub-agents.
 */
export function agentTree(agents: readonly EditableAgent[]): readonly AgentInTree[] {
  const children = new Map<string | null, EditableAgent[]>()
  for (const agent of agents) {
    const list = children.get(agent.parent)
    if (list === undefined) children.set(agent.parent, [agent])
    else list.push(agent)
  }
  for (const list of children.values()) list.sort((one, other) => one.index - other.index)
  const graphs = new Map(
    agents.flatMap((agent) => (isGraph(agent) ? [[agent.name, agent] as const] : [])),
  )
  const ordered: AgentInTree[] = []
  const open = [...(children.get(null) ?? [])].reverse()
  while (open.length > 0) {
    const agent = open.pop()
    if (agent === undefined) break
    const siblings = (children.get(agent.parent) ?? []).map(({ name }) => name)
    ordered.push({
      ...agent,
      graph: graphs.get(agent.parent ?? "") ?? null,
      siblings: agent.parent === null ? [agent.name] : siblings,
    })
    open.push(...[...(children.get(agent.name) ?? [])].reverse())
  }
  return ordered
}
