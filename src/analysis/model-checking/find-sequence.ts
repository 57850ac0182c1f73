import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Atom } from "../../policies/atom.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { sequenceAutomaton } from "../../policies/sequence-automaton.js"
import { TooManyStates } from "../behavior/search-effort.js"
import { NotAnalyzed } from "../behavior/setting.js"
import type { Exploration } from "./explore.js"
import { exploreWith } from "./explore-chart.js"

/**
 * Searches for runs in which the events that `atoms` describe occur in this order. Returns up to
 * `mostPaths` of these runs, starting with the shortest. Undeclared functions are assumed to have
 * any possible effect. Returns null if there is no such run, and `limit` if the search was not
 * completed.
 */
export function findSequence(
  atoms: readonly Atom[],
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  mostPaths: number,
): Exclude<Exploration, { readonly type: "safe" }> | null {
  const never: Policy = { ...policy, rule: { pattern: "never", of: atoms } }
  try {
    const found = exploreWith("anything", chart, never, set, sequenceAutomaton(atoms), {
      mostPaths,
    })
    return found.type === "safe" ? null : found
  } catch (cause) {
    if (cause instanceof TooManyStates || cause instanceof NotAnalyzed)
      return { type: "limit", states: set.maxStates, busiest: null }
    throw cause
  }
}
