import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import { hasSessionStarts } from "../containers/machine-flags.js"
import { decideFlow } from "../flow/decide-flow.js"
import { decideOrder } from "../model-checking/decide-order.js"
import { decideBudget } from "./budget-verdict.js"

/**
 * Returns the assumption `session: new` in words, if the proof of a policy depends on it. To find
 * out, decides the policy again for runs that may continue a session.
 */
export function assumedSession(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
): readonly string[] {
  if (set.assume.session === "any") return []
  const anySession: PolicySet = { ...set, assume: { ...set.assume, session: "any" } }
  const flow = decideFlow(chart, policy, anySession)
  if (flow !== null)
    return flow.verdict === "proved" ? [] : ["No run receives data from an earlier run."]
  const root = chart.machines[chart.root]
  const isAffected =
    set.assume.startState === "chart" || (root !== undefined && hasSessionStarts(root))
  if (!isAffected) return []
  const decided =
    decideOrder(chart, policy, anySession) ?? decideBudget(chart, policy, anySession, prices)
  return decided?.verdict === "proved" ? [] : ["No run continues a session."]
}
