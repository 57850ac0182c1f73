import type { PolicyWarning, PriceList } from "../../analysis/index.js"
import { analyzePolicies } from "../../analysis/policies/analyze-policies.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { PlayedResult } from "./play-policies.js"
import { playResult } from "./play-policies.js"

/**
 * Verdicts on the policies of one policy file, in the order of the file, and warnings about these
 * policies.
 */
export interface DecidedSet {
  readonly results: readonly PlayedResult[]
  readonly warnings: readonly PolicyWarning[]
}

/**
 * Decides for each policy of a policy file whether a chart satisfies it. For a violated policy,
 * executes a run that shows the violation. Calls `onPlay` with the name of the policy before this
 * run.
 */
export async function decideSet(
  set: PolicySet,
  chart: AgentChart,
  prices: PriceList | null,
  onPlay: (policy: string) => void = () => {},
): Promise<DecidedSet> {
  const decided = analyzePolicies(chart, set, prices)
  const results: PlayedResult[] = []
  for (const [index, result] of decided.results.entries()) {
    // Results are in the order of the policies.
    const policy = set.policies[index] as Policy
    if (result.verdict === "violated") onPlay(result.name)
    results.push(await playResult(result, chart, policy, set, prices))
  }
  return { results, warnings: decided.warnings }
}
