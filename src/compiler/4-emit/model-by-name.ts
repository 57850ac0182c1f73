import type { ModelByName } from "../../machines/contract/agent-definition.js"
import { hasPlaceholder } from "../../machines/model-call/instruction-template.js"
import type { AgentNode, LlmAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"

/**
 * Returns the settings for an agent that calls a registered model by name
 * (docs/semantics.md#models-by-name). Returns null if the agent has an HTTP endpoint or belongs to
 * the adk dialect.
 */
export function modelByName(
  agent: LlmAgentNode,
  { dialect }: WorkflowTree,
  rootTeam: ReadonlySet<AgentNode>,
): ModelByName | null {
  if (dialect === "adk" || agent.endpoint !== null) return null
  const { instructions, stateInPrompt } = agent
  const state =
    !stateInPrompt || instructions === null
      ? "hidden"
      : hasPlaceholder(instructions)
        ? "filled"
        : "appended"
  return rootTeam.has(agent) ? { state, endsRun: true } : { state }
}

/**
 * Returns the agents whose turn can complete a cycle of the run: the root agent and its direct and
 * indirect handoff targets. The result is empty if the root is not an LlmAgent.
 */
export function rootTeamOf({ root }: WorkflowTree): ReadonlySet<AgentNode> {
  const team = new Set<AgentNode>()
  const add = (agent: AgentNode): void => {
    if (agent.type !== "LlmAgent") return
    team.add(agent)
    for (const target of agent.subAgents) add(target)
  }
  add(root)
  return team
}
