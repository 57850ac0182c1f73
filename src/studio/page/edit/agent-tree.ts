import type { EditableAgent } from "../../edit-api.js"

/** An agent of a workflow with its neighbours. */
export interface AgentInTree extends EditableAgent {
  /** Names of the sub-agents of the parent in order, including this agent. */
  readonly siblings: readonly string[]
  /** The graph whose node the agent is; null for other agents. */
  readonly graph: EditableAgent | null
}

/** Whether an agent is a graph: a Workflow, or a whole Graph Compose graph. */
export const isGraph = ({ type }: EditableAgent): boolean => type === "Workflow" || type === "graph"

/** Whether an agent is a Graph Compose graph, or one of its nodes without agents of the same name. */
export const isTask = ({ type, graph, isRoot }: AgentInTree): boolean =>
  type === "graph" || (graph?.type === "graph" && !isRoot)

/** Returns the agents in the order of the chart: each agent before its sub-agents. */
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
