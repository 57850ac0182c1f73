import { onExpiryOf } from "../../machines/requests/expiry.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState } from "./flow-state.js"
import { flowStep, replaceKey, withHistory, withKey } from "./flow-state.js"
import type { Outflow } from "./flow-turn.js"

/**
 * Propagates tainted data (data from a source of the policy) through a HumanAgent. The answer of
 * the person overwrites the output key. If the run continues after the request expires, the key may
 * also keep its earlier data.
 */
export function runHuman(agent: string, before: FlowState, rule: FlowRule): Outflow {
  const definition = rule.chart.agents[agent]
  const answer = rule.isSource("answer", agent) ? flowStep("answer", agent, agent, null) : null
  const key = definition?.outputKey ?? null
  const mayPass =
    definition?.type === "HumanAgent" &&
    definition.expiresInMs !== null &&
    onExpiryOf("human", definition) === "continue"
  if (key !== null) rule.reach("key", key, answer)
  const state =
    key === null ? before : mayPass ? withKey(before, key, answer) : replaceKey(before, key, answer)
  return { state: rule.chart.dialect === "adk" ? withHistory(state, answer) : state, text: answer }
}
