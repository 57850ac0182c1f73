import type { Counterexample, PolicyResult, PriceList } from "../../analysis/index.js"
import { counterexamplesOf, maxPaths } from "../../analysis/policies/analyze-policies.js"
import { unplayed } from "../../analysis/policies/reasons.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { SeenViolation } from "./play-counterexample.js"
import { playCounterexample } from "./play-counterexample.js"
import type { Play } from "./script-of-log.js"

/** A counterexample that a run has reproduced, with the event that violates the policy. */
export interface PlayedCounterexample extends Omit<Counterexample, "script"> {
  readonly play: Play
  readonly seen: SeenViolation
}

/**
 * Verdict on a policy. If the verdict is `violated`, `counterexample` contains a violating run that
 * was reproduced. Otherwise, `counterexample` is null.
 */
export type PlayedResult = Omit<PolicyResult, "counterexample"> & {
  readonly counterexample: PlayedCounterexample | null
}

/**
 * Reproduces the counterexample of a violated policy in a run. If the run does not violate the
 * policy, tries other counterexamples. If no run violates the policy, the verdict becomes
 * `unknown`.
 */
export async function playResult(
  result: PolicyResult,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
): Promise<PlayedResult> {
  const { counterexample, ...others } = result
  if (counterexample === null) return { ...others, counterexample: null }
  const conditions = new Set<string>()
  const tryPath = async (one: Counterexample): Promise<PlayedCounterexample | null> => {
    const outcome = await playCounterexample(one, { chart, policy, set, prices })
    if (outcome.play === null) {
      for (const condition of outcome.conditions) conditions.add(condition)
      return null
    }
    const { records, path: steps } = one
    return { records, path: steps, ...outcome }
  }
  const first = await tryPath(counterexample)
  if (first !== null) return { ...others, counterexample: first }
  const paths = counterexamplesOf(chart, policy, set, prices, maxPaths)
  for (const one of paths.slice(1)) {
    const played = await tryPath(one)
    if (played !== null) return { ...others, counterexample: played }
  }
  return unplayed(others, [...conditions])
}
