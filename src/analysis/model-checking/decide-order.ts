import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Automaton } from "../../policies/automaton.js"
import { automatonOf } from "../../policies/policy-automaton.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { limitOfCalls } from "../bounds/limit-of-calls.js"
import type { FunctionUse, RunEffect } from "../behavior/behavior.js"
import { leavesOutBranches } from "../behavior/branch-copies.js"
import { TooManyStates } from "../behavior/search-effort.js"
import { largestCounter, NotAnalyzed } from "../behavior/setting.js"
import type { ProductPath } from "./explore.js"
import type { ExploreOptions } from "./explore-chart.js"
import { branchesOf, concurrentCallsOf, exploreWith } from "./explore-chart.js"
import { conditionsOf } from "./tracked-keys.js"

/** The verdict on a policy about the order or the number of events. */
export type OrderVerdict =
  | { readonly verdict: "proved"; readonly states: number }
  | {
      readonly verdict: "violated"
      readonly states: number
      readonly paths: readonly ProductPath[]
      /**
       * The session state keys that the search tracked. The effects in `paths` include the writes
       * of these keys.
       */
      readonly keys: ReadonlySet<string>
    }
  | { readonly verdict: "unknown"; readonly states: number; readonly uses: readonly FunctionUse[] }
  | { readonly verdict: "not_analyzed"; readonly states: 0; readonly construct: string }
  | { readonly verdict: "limit"; readonly states: number; readonly busiest: string | null }

/**
 * Decides whether any run of a chart violates a policy about the order or the number of events.
 * Returns null for all other policies. The verdict `violated` contains up to `mostPaths` paths,
 * starting with the shortest.
 */
export function decideOrder(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  mostPaths = 1,
): OrderVerdict | null {
  const whole = automatonOf(policy)
  if (whole === null) return null
  const automaton = insideActivations(whole, policy)
  const decided = verdictOf(set, () => decide(chart, policy, set, automaton, mostPaths))
  if (decided.verdict !== "limit") return decided
  const few = verdictOf(set, () => fewBranches(chart, policy, set, automaton, mostPaths) ?? decided)
  return few.verdict === "violated" ? few : decided
}

/**
 * For a policy with `per: agent` or `per: iteration`, returns an automaton that ignores events
 * outside the named agent. Returns the automaton of any other policy unchanged.
 */
function insideActivations(automaton: Automaton, { per }: Policy): Automaton {
  if (per.type !== "agent" && per.type !== "iteration") return automaton
  const isInside = ({ activity, within }: Occurrence): boolean =>
    activity?.agent === per.name || within.some(({ agent }) => agent === per.name)
  return {
    ...automaton,
    reads: (occurrence) =>
      (occurrence.kind === "dropped" || isInside(occurrence)) && automaton.reads(occurrence),
  }
}

/**
 * Returns the verdict of a search. If the search throws because it is too large or not supported,
 * returns the verdict `limit` or `not_analyzed`.
 */
function verdictOf({ maxStates }: PolicySet, search: () => OrderVerdict): OrderVerdict {
  try {
    return search()
  } catch (cause) {
    if (cause instanceof TooManyStates)
      return { verdict: "limit", states: maxStates, busiest: null }
    if (cause instanceof NotAnalyzed)
      return { verdict: "not_analyzed", states: 0, construct: cause.construct }
    throw cause
  }
}

function decide(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  mostPaths: number,
): OrderVerdict {
  // Most policies are satisfied regardless of the limits and conditions of a workflow. Without
  // exact counters and the values of keys, there are far fewer states to explore.
  const free = { counter: 0, readsConditions: false }
  const rough = exploreWith("anything", chart, policy, set, automaton, free)
  if (rough.type === "safe") return { verdict: "proved", states: rough.states }
  const coarse =
    conditionsOf(chart).length === 0
      ? rough
      : exploreWith("anything", chart, policy, set, automaton, { counter: 0 })
  if (coarse.type === "safe") return { verdict: "proved", states: coarse.states }
  const low = lowCounts(chart, policy, set, automaton, mostPaths)
  const least = coarse.type === "violation" ? recordsOf(coarse.paths) : 0
  // The search without exact counters finds the lowest possible number of records. If the other
  // path has no more records, it is a shortest one.
  if (low !== null && low.isCertain && recordsOf(low.verdict.paths) <= least) return low.verdict
  const exact =
    coarse.type === "limit"
      ? ({ verdict: "limit", ...coarse } as const)
      : decideExactly(chart, policy, set, automaton, mostPaths)
  return exact.verdict === "limit" && low !== null ? low.verdict : exact
}

/**
 * Decides a policy with a search that counts loop iterations, model calls and other counters
 * exactly. The earlier searches do not use exact counters.
 */
function decideExactly(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  mostPaths: number,
): OrderVerdict {
  let options: Partial<ExploreOptions> = { mostPaths }
  let worst = exploreWith("anything", chart, policy, set, automaton, options)
  if (worst.type === "safe" && limitsCalls(chart)) {
    // A response can contain more calls than were explored at the same time. If nothing limits the
    // number of responses, further responses represent these calls.
    options = { ...options, continuesResponses: true }
    worst = exploreWith("anything", chart, policy, set, automaton, options)
  }
  if (worst.type === "safe") return { verdict: "proved", states: worst.states }
  if (worst.type === "limit") return { verdict: "limit", ...worst }
  const uses = (worst.paths[0] ?? []).flatMap((step) => step.uses)
  if (uses.length === 0)
    return {
      verdict: "violated",
      states: worst.states,
      paths: worst.paths.filter((path) => path.every((step) => step.uses.length === 0)),
      keys: worst.keys,
    }
  const best = exploreWith("helpful", chart, policy, set, automaton, options)
  const states = worst.states + best.states
  if (best.type === "violation")
    return { verdict: "violated", states, paths: best.paths, keys: best.keys }
  if (best.type === "limit") return { verdict: "limit", states, busiest: best.busiest }
  return { verdict: "unknown", states, uses: namedOnce(uses) }
}

type Violation = Extract<OrderVerdict, { readonly verdict: "violated" }>

const recordsOf = ([path = []]: readonly ProductPath[]): number =>
  path.reduce((sum, { records }) => sum + records, 0)

/**
 * Searches for violations only in runs in which all counters, such as loop iterations, stay low.
 * There are far fewer such runs. Returns null if there is no violation. `isCertain` is true if the
 * violating run certainly makes fewer model calls than the maximum.
 */
function lowCounts(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  mostPaths: number,
): { readonly verdict: Violation; readonly isCertain: boolean } | null {
  const options = { mostPaths, highestCount: lowestCountOf(policy) }
  let found = exploreWith("anything", chart, policy, set, automaton, options)
  if (found.type === "violation" && found.paths[0]?.some(({ uses }) => uses.length > 0) === true)
    found = exploreWith("helpful", chart, policy, set, automaton, options)
  if (found.type !== "violation") return null
  const { most } = limitOfCalls(chart.settings)
  const paths = found.paths.filter(
    (path) => path.every(({ uses }) => uses.length === 0) && modelCallsOf(path) <= most,
  )
  if (paths.length === 0) return null
  // The path does not contain the calls of branches that are irrelevant to the policy.
  const calls = modelCallsOf(paths[0] ?? []) + Object.keys(chart.agents).length
  const { states, keys } = found
  return {
    verdict: { verdict: "violated", states, paths, keys },
    isCertain: most > largestCounter || calls <= most,
  }
}

const modelCallsOf = (path: ProductPath): number =>
  path.reduce((sum, { effects }) => sum + callsIn(effects), 0)

const callsIn = (effects: readonly RunEffect[]): number =>
  effects.reduce(
    (sum, effect) =>
      effect.type === "steps"
        ? sum + callsIn(effect.all)
        : effect.type === "meter" && effect.is === "call"
          ? sum + 1
          : sum,
    0,
  )

/**
 * Returns the highest value of a counter that `lowCounts` explores, for example 2 iterations of a
 * loop. It is high enough to find most violations of a policy.
 */
const lowestCountOf = ({ rule }: Policy): number =>
  rule.pattern === "atMost" ? Math.min(rule.most + 1, largestCounter) : 2

/**
 * Searches for violations with few branches in each `forEach` block. Used if the search with all
 * branches that a violation can require was too large. Returns null if there is no violation.
 */
function fewBranches(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  mostPaths: number,
): OrderVerdict | null {
  const branches = concurrentCallsOf(policy)
  if (branches >= branchesOf(policy) || !leavesOutBranches(chart, branches)) return null
  const options = { mostPaths, branches }
  const found = exploreWith("anything", chart, policy, set, automaton, options)
  if (found.type !== "violation") return null
  const { states, keys } = found
  const paths = found.paths.filter((path) => path.every((step) => step.uses.length === 0))
  return paths.length === 0 ? null : { verdict: "violated", states, paths, keys }
}

const namedOnce = (uses: readonly FunctionUse[]): readonly FunctionUse[] => {
  const byName = new Map<string, FunctionUse>()
  for (const use of uses)
    if ((byName.get(use.name)?.capability ?? null) === null) byName.set(use.name, use)
  return [...byName.values()]
}

/**
 * Returns whether the model checker can count the model calls of a run or a turn exactly, because
 * their maximum is low enough.
 */
const limitsCalls = ({ settings }: AgentChart): boolean =>
  Math.min(settings.maxModelCallsPerTurn, limitOfCalls(settings).most) <= largestCounter
