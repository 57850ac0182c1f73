import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { LeafAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { turnTransitions } from "./outcomes.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { metaOf } from "./state-position.js"

/**
 * Returns the name of the predefined machine that runs an agent, such as `llmAgent`. The name
 * depends on the agent's type, and on whether it has guardrails, callbacks or other host functions,
 * `compaction` or `preload_memory`.
 */
export function leafMachine(agent: LeafAgentNode, { tools }: WorkflowTree): string {
  if (agent.type === "HumanAgent") return "humanAgent"
  if (agent.type === "WorkflowAgent") return "workflowAgent"
  if (agent.type === "WaitAgent") return "waitAgent"
  if (agent.guardrails !== null) return "guardedLlmAgent"
  const { hooks, policies, instructionService, globalInstructionService } = agent.adk ?? {}
  const instructed = instructionService !== undefined || globalInstructionService !== undefined
  const hasToolsets = agent.tools.some((id) => tools.get(id)?.type === "Toolset")
  const hasFunctions = hooks !== undefined || policies !== undefined || instructed || hasToolsets
  const isPlain = !hasFunctions && agent.compaction === null && agent.memoryService === null
  return isPlain ? "llmAgent" : "hookedLlmAgent"
}

const tags = {
  LlmAgent: "llm",
  HumanAgent: "human",
  WorkflowAgent: "workflow",
  WaitAgent: "wait",
} as const

/**
 * Generates the atomic state of an agent without sub-agents. The state invokes the predefined
 * machine of the agent.
 */
export function emitLeaf(
  agent: LeafAgentNode,
  site: StatePosition,
  next: TransitionTarget,
  handoffs: ChartState["always"] = [],
): ChartState {
  const { place, team } = site
  const remembers = team === null ? {} : { team: team.place }
  return {
    meta: metaOf(site, agent),
    tags: [tags[agent.type]],
    invoke: {
      id: place,
      src: leafMachine(agent, site.draft.workflow),
      input: { place, ...remembers },
      onDone: turnTransitions(site, next, handoffs),
    },
  }
}
