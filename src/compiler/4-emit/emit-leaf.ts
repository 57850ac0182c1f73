import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { HumanAgentNode, LlmAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { turnTransitions } from "./outcomes.js"
import type { Next, Site } from "./site.js"
import { metaOf } from "./site.js"

/** The machine of the library that runs an agent: another one where host code stands around its turn. */
export function leafMachine(agent: LlmAgentNode | HumanAgentNode, { tools }: WorkflowTree): string {
  if (agent.type === "HumanAgent") return "humanAgent"
  const { hooks, policies, instructionService, globalInstructionService } = agent.adk ?? {}
  const instructed = instructionService !== undefined || globalInstructionService !== undefined
  const hasToolsets = agent.tools.some((id) => tools.get(id)?.type === "Toolset")
  const isPlain = hooks === undefined && policies === undefined && !instructed && !hasToolsets
  return isPlain ? "llmAgent" : "hookedLlmAgent"
}

/** An agent that is a machine of its own, invoked from one atomic state. */
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
