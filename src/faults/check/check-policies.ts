import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { createPolicyMonitor } from "../../policies/monitor/monitor.js"
import type { PolicySet } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import type { Violation } from "../contract/violation.js"
import type { ObservedRun } from "../run/observed-run.js"

interface JudgedPolicies {
  readonly chart: AgentChart
  readonly policies?: readonly PolicySet[]
  readonly policyPrices?: PriceList
}

/**
 * Returns one violation for each policy that the run violates. Checks the events of the run with
 * the policy monitor.
 */
export function violatedPolicies(
  { chart, policies = [], policyPrices }: JudgedPolicies,
  { events, runId }: ObservedRun,
): readonly Violation[] {
  const found = new Map<string, Violation>()
  for (const set of policies) {
    const monitor = createPolicyMonitor(chart, set, policyPrices)
    for (const [seq, event] of events.entries())
      for (const { policy } of monitor.follow({ ...event, seq, at: 0, runId }))
        if (!found.has(policy))
          found.set(policy, {
            invariant: "policies",
            subject: policy,
            message: `the event ${event.type} of ${event.path} violates the policy "${policy}"`,
          })
  }
  return [...found.values()]
}
