import type {
  AgentNode,
  HumanAgentNode,
  LlmAgentNode,
  ParallelAgentNode,
} from "../2-resolve/agent-node.js"

/** Counts by agent, so that shared subtrees are counted once. */
export type RegionCounts = Map<AgentNode, number>

export const isLeafAgent = (agent: AgentNode): agent is HumanAgentNode | LlmAgentNode =>
  agent.type === "HumanAgent" || (agent.type === "LlmAgent" && agent.subAgents.length === 0)

/** A block with more branches than regions, or with a bound on how many are at work at once. */
export function isFan(agent: ParallelAgentNode, regions: number): boolean {
  const branches = agent.subAgents.length
  return branches > regions || (agent.maxConcurrency !== null && agent.maxConcurrency < branches)
}

/** How many parallel regions an agent opens at once at most; 1 for an agent without any. XState's cost grows with them. */
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
 * How many regions each branch of a block may open: one each, and what is left goes to the branches that need more, in
 * declaration order, whole or not at all. A branch that gets too few becomes a machine of its own.
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
