import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import { checkersOf } from "../../machines/contract/guardrails/guardrails.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { anyKey, firstOf, flowStep } from "./flow-state.js"

type LlmDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/** Returns the ids of an agent's helpers, which summarize its conversation or check its texts. */
const helperIdsOf = ({ compaction, guardrails }: LlmDefinition): readonly string[] => [
  ...(compaction === undefined ? [] : [compaction.summarizer]),
  ...checkersOf(guardrails),
]

/**
 * Reports the sinks that data reaches when an agent sends it to its helpers. Helpers are the agents
 * that summarize its conversation or check its texts.
 */
export function reachHelpers(
  definition: LlmDefinition,
  seen: FlowStep | null,
  state: FlowState,
  rule: FlowRule,
): void {
  for (const id of helperIdsOf(definition)) {
    const helper = rule.chart.agents[id]
    if (helper?.type !== "LlmAgent") continue
    rule.reach("input", id, seen)
    rule.reach("model", helper.endpoint?.url ?? helper.model ?? "", seen)
    if (helper.endpoint !== null)
      rule.reach("server", helper.endpoint.url, firstOf(seen, anyKey(state)))
  }
}

/**
 * Returns the tainted data that a guardrail's server adds to the conversation with its response.
 * Returns null if the `noFlow` policy names no server of these guardrails as a source.
 */
export function inVerdicts(
  agent: string,
  { guardrails }: LlmDefinition,
  rule: FlowRule,
): FlowStep | null {
  for (const id of checkersOf(guardrails)) {
    const checker = rule.chart.agents[id]
    if (checker?.type !== "LlmAgent" || checker.endpoint === null) continue
    const { url } = checker.endpoint
    if (rule.isSource("server", url)) return flowStep("server", url, agent, null)
  }
  return null
}
