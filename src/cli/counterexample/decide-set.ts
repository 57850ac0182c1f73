import type { PolicyWarning, PriceList } from "../../analysis/index.js"
import { analyzePolicies } from "../../analysis/policies/analyze-policies.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { PlayedResult } from "./play-policies.js"
import { playResult } from "./play-policies.js"

/**
 * The verdicts on the policies of one policy file, in the order of the file, with warnings about
 * these policies.
 */
export interface DecidedSet {
  readonly results: readonly PlayedResult[]
  readonly warnings: readonly PolicyWarning[]
}

/**
 * Decides whether a chart satisfies the policies of one policy file, and plays the counterexamples
 * of violated policies. `onPlay` receives the name of a policy before its counterexample is played.
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
