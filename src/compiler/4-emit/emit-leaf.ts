import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { HumanAgentNode, LlmAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { turnTransitions } from "./outcomes.js"
import type { Next, Site } from "./site.js"
import { metaOf } from "./site.js"

/**
 * Returns the name of the library machine that runs an agent. An agent with host functions around
 * its turn uses another machine.
 */
export function leafMachine(agent: LlmAgentNode | HumanAgentNode, { tools }: WorkflowTree): string {
  if (agent.type === "HumanAgent") return "humanAgent"
  const { hooks, policies, instructionService, globalInstructionService } = agent.adk ?? {}
  const instructed = instructionService !== undefined || globalInstructionService !== undefined
  const hasToolsets = agent.tools.some((id) => tools.get(id)?.type === "Toolset")
  const isPlain = hooks === undefined && policies === undefined && !instructed && !hasToolsets
  return isPlain ? "llmAgent" : "hookedLlmAgent"
}

/** Emits an agent without sub-agents: one atomic state that invokes the agent's machine. */
export function emitLeaf(
  agent: LlmAgentNode | HumanAgentNode,
  site: Site,
  next: Next,
  handoffs: ChartState["always"] = [],
): ChartState {
  const { place, team } = site
  const remembers = team === null ? {} : { team: team.place }
  return {
    meta: metaOf(site, agent),
    tags: [agent.type === "LlmAgent" ? "llm" : "human"],
    invoke: {
      id: place,
      src: leafMachine(agent, site.draft.workflow),
      input: { place, ...remembers },
      onDone: turnTransitions(site, next, handoffs),
    },
  }
}
