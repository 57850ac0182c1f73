import type { AgentNode, LeafAgentNode, ParallelAgentNode } from "../2-resolve/agent-node.js"

/**
 * Caches the maximum number of parallel regions of each agent, so that shared subtrees are counted
 * only once.
 */
export type RegionCounts = Map<AgentNode, number>

export const isLeafAgent = (agent: AgentNode): agent is LeafAgentNode =>
  agent.type === "HumanAgent" ||
  agent.type === "WorkflowAgent" ||
  agent.type === "WaitAgent" ||
  (agent.type === "LlmAgent" && agent.subAgents.length === 0)

/**
 * Returns whether a parallel block becomes a fan, which is one state that invokes a machine for
 * each branch, instead of a parallel state. This is the case if the block has more branches than
 * `regions`, limits how many branches run at the same time, can complete before all branches have
 * ended, cancels branches on an escalation, or has a list of items (`forEach`).
 */
export function isFan(agent: ParallelAgentNode, regions: number): boolean {
  const branches = agent.subAgents.length
  if (agent.forEach !== null || agent.completion !== "all" || agent.onEscalate === "cancel")
    return true
  return branches > regions || (agent.maxConcurrency !== null && agent.maxConcurrency < branches)
}

/**
 * Returns the maximum number of parallel regions that are active at the same time while an agent
 * runs. Returns 1 for an agent without parallel blocks. The run time of XState grows with this
 * number.
 */
export function regionsOf(agent: AgentNode, maxRegions: number, counts: RegionCounts): number {
  const known = counts.get(agent)
  if (known !== undefined) return known
  const count = countRegions(agent, maxRegions, counts)
  counts.set(agent, count)
  return count
}

function countRegions(agent: AgentNode, maxRegions: number, counts: RegionCounts): number {
  const most = (children: readonly AgentNode[]): number =>
    children.reduce((max, child) => Math.max(max, regionsOf(child, maxRegions, counts)), 1)
  switch (agent.type) {
    case "HumanAgent":
    case "Workflow":
    case "MachineAgent":
    case "WorkflowAgent":
    case "WaitAgent":
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
    case "JoinNode":
      return 1
    case "LlmAgent":
    case "CustomAgent":
      return most(agent.subAgents)
    case "SequentialAgent":
    case "LoopAgent":
      return most(agent.subAgents.map((position) => position.agent))
    case "ParallelAgent":
      if (isFan(agent, maxRegions)) return 1
      return agent.subAgents.reduce(
        (sum, position) => sum + regionsOf(position.agent, maxRegions, counts),
        0,
      )
  }
}

/**
 * Returns the maximum number of parallel regions that each branch of a block may use. Each branch
 * gets one region. The remaining regions go to branches that need more, in declaration order. If
 * there are too few for a branch, it gets only one and becomes a separate machine.
 */
export function shareRegions(
  agent: ParallelAgentNode,
  budget: number,
  maxRegions: number,
  counts: RegionCounts,
): readonly number[] {
  let left = budget - agent.subAgents.length
  return agent.subAgents.map((position) => {
    const more = regionsOf(position.agent, maxRegions, counts) - 1
    if (more > left) return 1
    left -= more
    return 1 + more
  })
}
