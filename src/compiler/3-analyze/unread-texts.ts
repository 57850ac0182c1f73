import { report } from "../diagnostics/config-location.js"
import type { AgentNode, Position, WorkflowTree } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { reachable } from "./unreachable.js"

/**
 * Reports agents whose text is never used. In the graph-compose dialect, agents only share data
 * through the state, so an agent without an output key usually has no effect. Agents with an
 * endpoint, tools or handoff targets are not reported, because they can have other effects.
 */
export function warnOfUnreadTexts({ workflow, agents }: ResolvedWorkflow): void {
  if (workflow.dialect === "adk") return
  const reached = reachable(workflow)
  const read = readTexts(workflow)
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || config === undefined) continue
    if (!reached.has(agent) || read.has(agent)) continue
    const { endpoint, outputKey, tools, subAgents } = agent
    if (endpoint !== null || outputKey !== null || tools.length > 0 || subAgents.length > 0)
      continue
    report(config.location, {
      code: "unread_text",
      severity: "warning",
      problem: `returns a text that no one receives: it has no "outputKey", and its text is not the result of the workflow, of a tool or of a container with an "outputKey"`,
      fix: `Add an "outputKey", so that later agents receive the text in the session state, or remove the agent.`,
    })
  }
}

/**
 * Returns the agents whose text is used. A text is used as the result of the workflow or of a tool,
 * or if a container saves it.
 */
function readTexts({ root, agents, tools }: WorkflowTree): ReadonlySet<AgentNode> {
  const read = new Set<AgentNode>([root])
  for (const tool of tools.values()) if (tool.type === "AgentTool") read.add(tool.target)
  for (const agent of agents.values())
    if ("outputKey" in agent && agent.outputKey !== null && agent.type !== "LlmAgent")
      for (const source of textSourcesOf(agent)) read.add(source)
  // The loop also visits the agents that it adds to the Set.
  for (const agent of read) for (const source of textSourcesOf(agent)) read.add(source)
  return read
}

/** Returns the sub-agents whose text can become the text of the given agent. */
function textSourcesOf(agent: AgentNode): readonly AgentNode[] {
  switch (agent.type) {
    case "LlmAgent":
      return agent.subAgents
    case "SequentialAgent":
    case "LoopAgent":
      return lastOf(agent.subAgents)
    case "ParallelAgent":
      return agent.failurePolicy === "collect" ||
        agent.completion !== "all" ||
        agent.onEscalate === "cancel"
        ? agent.subAgents.map((position) => position.agent)
        : lastOf(agent.subAgents)
    default:
      return []
  }
}

/**
 * Returns the agents of a container that can run last. If the last agent has a condition, it can be
 * skipped, so an earlier agent can run last.
 */
function lastOf(positions: readonly Position[]): readonly AgentNode[] {
  const always = positions.findLastIndex(({ when }) => when === null)
  return positions.slice(Math.max(0, always)).map(({ agent }) => agent)
}
