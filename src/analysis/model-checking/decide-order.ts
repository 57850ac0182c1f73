import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { systemKey } from "../../machines/data/system-keys.js"
import type { Atom } from "../../policies/atom.js"
import { matchesAny } from "../../policies/atom.js"
import { atomsOf, awaitedBy } from "../../policies/atoms-of.js"
import type { Automaton } from "../../policies/automaton.js"
import { automatonOf } from "../../policies/policy-automaton.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { limitOfCalls } from "../bounds/limit-of-calls.js"
import type { Behavior, FunctionUse } from "../behavior/behavior.js"
import type { Exploration, ProductPath } from "./explore.js"
import { explore } from "./explore.js"
import type { MachineControl } from "../containers/machine-control.js"
import { machineBehavior } from "../containers/machine-behavior.js"
import { reducedBehavior } from "../containers/reduced-behavior.js"
import type { RunPlace, Setting, UndeclaredFunctions } from "../behavior/setting.js"
import { leavesOutBranches } from "../behavior/branch-copies.js"
import { largestCounter, NotAnalyzed } from "../behavior/setting.js"
import { SearchEffort, TooManyStates } from "../behavior/search-effort.js"
import { liveKeys } from "./live-keys.js"
import { trackedKeys } from "./tracked-keys.js"

/** The verdict on a policy about the order or number of occurrences. */
export type OrderVerdict =
  | { readonly verdict: "proved"; readonly states: number }
  | {
      readonly verdict: "violated"
      readonly states: number
      readonly paths: readonly ProductPath[]
      /** The keys whose write effects are included in the paths. */
      readonly keys: ReadonlySet<string>
    }
  | { readonly verdict: "unknown"; readonly states: number; readonly uses: readonly FunctionUse[] }
  | { readonly verdict: "not_analyzed"; readonly states: 0; readonly construct: string }
  | { readonly verdict: "limit"; readonly states: number; readonly busiest: string | null }

/**
 * Decides whether any run of a chart violates a policy. Returns null for policies without an
 * automaton. A verdict `violated` contains up to `mostPaths` paths, the shortest first.
 */
export function decideOrder(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  mostPaths = 1,
): OrderVerdict | null {
  const automaton = automatonOf(policy)
  if (automaton === null) return null
  const decided = verdictOf(set, () => decide(chart, policy, set, automaton, mostPaths))
  if (decided.verdict !== "limit") return decided
  const few = verdictOf(set, () => fewBranches(chart, policy, set, automaton, mostPaths) ?? decided)
  return few.verdict === "violated" ? few : decided
}

/** Returns the verdict of a search, or the reason why the search could not be completed. */
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
  // Most policies hold whatever the limits of a workflow are. Without exact counters, there are far
  // fewer states.
  const coarse = exploreWith("anything", chart, policy, set, automaton, { counter: 0 })
  if (coarse.type === "safe") return { verdict: "proved", states: coarse.states }
  if (coarse.type === "limit") return { verdict: "limit", ...coarse }
  let options: Partial<ExploreOptions> = { mostPaths }
  let worst = exploreWith("anything", chart, policy, set, automaton, options)
  if (worst.type === "safe" && limitsCalls(chart)) {
    // A response can contain more calls than those that were explored at the same time. Without
    // limits, further responses stand for them.
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

/**
 * Searches for violations with few branches of each `forEach` block, after a search with all
 * branches that the policy can distinguish was too large. Returns null if it finds none.
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
 * Returns whether the chart limits the model calls of a run or a turn to a number that is counted
 * exactly.
 */
const limitsCalls = ({ settings }: AgentChart): boolean =>
  Math.min(settings.maxModelCallsPerTurn, limitOfCalls(settings).most) <= largestCounter

interface ExploreOptions {
  readonly mostPaths: number
  readonly counter: number
  readonly continuesResponses: boolean
  readonly branches: number
}

/** Explores the product of a chart and the automaton of a policy with these options. */
export function exploreWith(
  undeclared: UndeclaredFunctions,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  {
    mostPaths = 1,
    counter = largestCounter,
    continuesResponses = false,
    branches = branchesOf(policy),
  }: Partial<ExploreOptions>,
): Exploration {
  const atoms = atomsOf(policy)
  const keys = trackedKeys(chart, atoms, set.assume)
  const { most: maxModelCalls } = limitOfCalls(chart.settings)
  const machineOf = (key: string, place: RunPlace): Behavior<MachineControl> => {
    const machine = Object.hasOwn(chart.machines, key) ? chart.machines[key] : undefined
    // Charts are checked when they are read, so a machine of this name exists.
    if (machine === undefined)
      throw new TypeError(`the chart does not contain the machine "${key}"`)
    return machineBehavior(machine, "", place, setting)
  }
  const setting: Setting = {
    chart,
    set,
    automaton,
    undeclared,
    keys: new Set([...keys.names, ...writtenKeys(chart, atoms)]),
    readsWrites: atoms.some(({ kind }) => kind === "write"),
    decides: keys.decides,
    helps: (use) => canFulfil(use, policy),
    writeValues: writeValuesOf(atoms, keys.names),
    concurrentCalls: concurrentCallsOf(policy),
    branchesToDistinguish: branches,
    continuesResponses,
    maxModelCalls,
    largestCounter: counter,
    countsModelCalls: maxModelCalls <= counter && !leavesOutBranches(chart, branches),
    countsCycles:
      "cycling" in (chart.machines[chart.root]?.states ?? {}) &&
      chart.settings.maxOrchestrationCycles <= counter,
    signals: new Set(set.assume.modelSignals),
    effort: new SearchEffort(set.maxStates),
    policy,
    machine: machineOf,
    target: (key, place) =>
      reducedBehavior(setting.machine(key, place), setting, place.countsWaiting),
  }
  const root: RunPlace = {
    id: "",
    within: [],
    isHidden: false,
    countsWaiting: false,
    reportsPauses: true,
  }
  return explore(
    machineOf(chart.root, root),
    setting,
    keys,
    liveKeys(chart, keys, setting.writeValues),
    mostPaths,
  )
}

/**
 * Returns how many simultaneous calls of one response a policy can distinguish. More calls need not
 * be explored.
 */
function concurrentCallsOf({ rule }: Policy): number {
  switch (rule.pattern) {
    case "atMost":
      return rule.of.some(({ kind }) => kind === "call" || kind === "result" || kind === "start")
        ? Math.min(rule.most + 1, largestCounter)
        : 1
    case "after":
    case "notTogether":
      return 2
    default:
      return 1
  }
}

/** Returns how many branches of a `forEach` block a policy can distinguish. */
const branchesOf = (policy: Policy): number =>
  policy.rule.pattern === "atMost" ? policy.rule.most + 1 : concurrentCallsOf(policy)

/**
 * Returns whether an undeclared function or toolset could cause an occurrence that the policy
 * requires.
 */
function canFulfil({ of, runs }: FunctionUse, { rule }: Policy): boolean {
  if (of === "machine") return false
  return awaitedBy(rule).some(({ kind }) =>
    of === "toolset"
      ? ["call", "result", "approval", "rejection"].includes(kind)
      : kind === "call" || kind === "write" || runs.length > 0,
  )
}

/** Returns the keys that the `write` atoms of a policy name or match. */
function writtenKeys(chart: AgentChart, atoms: readonly Atom[]): readonly string[] {
  const writes = atoms.filter(({ kind }) => kind === "write")
  if (writes.length === 0) return []
  const named = writes.flatMap(({ names }) => names.filter((name) => !name.includes("*")))
  const known = [
    ...Object.values(chart.agents).map(({ outputKey }) => outputKey),
    ...Object.values(chart.tools).map((tool) => ("outputKey" in tool ? tool.outputKey : null)),
    ...containerKeys(chart),
  ].filter((key) => key !== null)
  const system: readonly string[] = Object.values(systemKey)
  return [
    ...named,
    ...known.filter((key) => writes.some(({ names }) => matchesAny(names, key))),
    ...system.filter((key) => named.includes(key)),
  ]
}

function containerKeys({ machines }: AgentChart): readonly string[] {
  const text = JSON.stringify(machines)
  return [...text.matchAll(/"outputKey":"((?:[^"\\]|\\.)*)"/gu)].map(
    ([, key]) => JSON.parse(`"${key ?? ""}"`) as string,
  )
}

function writeValuesOf(
  atoms: readonly Atom[],
  keys: readonly string[],
): ReadonlyMap<string, readonly unknown[]> {
  const values = new Map<string, unknown[]>()
  for (const { kind, names, equals } of atoms) {
    if (kind !== "write" || equals === null) continue
    for (const name of names)
      for (const key of name.includes("*") ? keys.filter((one) => matchesAny([name], one)) : [name])
        values.set(key, [...(values.get(key) ?? []), equals.value])
  }
  return values
}
