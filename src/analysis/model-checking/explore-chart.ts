import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { systemKey } from "../../machines/data/system-keys.js"
import type { Atom } from "../../policies/atom.js"
import { matchesAny } from "../../policies/atom.js"
import { atomsOf, awaitedBy } from "../../policies/atoms-of.js"
import type { Automaton } from "../../policies/automaton.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { limitOfCalls } from "../bounds/limit-of-calls.js"
import type { Behavior, FunctionUse } from "../behavior/behavior.js"
import { leavesOutBranches } from "../behavior/branch-copies.js"
import { SearchEffort } from "../behavior/search-effort.js"
import type { NestedLocation, Setting, UndeclaredFunctions } from "../behavior/setting.js"
import { largestCounter } from "../behavior/setting.js"
import { machineBehavior } from "../containers/machine-behavior.js"
import type { MachineControl } from "../containers/machine-control.js"
import { reducedBehavior } from "../containers/reduced-behavior.js"
import type { Exploration } from "./explore.js"
import { explore } from "./explore.js"
import { liveKeys } from "./live-keys.js"
import { trackedKeys } from "./tracked-keys.js"

export interface ExploreOptions {
  readonly mostPaths: number
  readonly counter: number
  /**
   * The highest counter value that the search explores, for example 2 iterations of a loop. Runs in
   * which a counter exceeds this value are skipped. With Infinity, no runs are skipped.
   */
  readonly highestCount: number
  /**
   * Whether conditions are evaluated with the values of session state keys. If false, each
   * condition can have any result.
   */
  readonly readsConditions: boolean
  readonly continuesResponses: boolean
  readonly branches: number
}

/**
 * Searches the runs of a chart for violations of a policy. Explores the product of the chart and
 * the automaton of the policy, which is explicit-state model checking.
 */
export function exploreWith(
  undeclared: UndeclaredFunctions,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  automaton: Automaton,
  {
    mostPaths = 1,
    highestCount = Infinity,
    counter = highestCount === Infinity ? largestCounter : Infinity,
    readsConditions = true,
    continuesResponses = false,
    branches = branchesOf(policy),
  }: Partial<ExploreOptions>,
): Exploration {
  const atoms = atomsOf(policy)
  const keys = trackedKeys(chart, atoms, set.assume, readsConditions)
  const { most: maxModelCalls } = limitOfCalls(chart.settings)
  const machineOf = (key: string, location: NestedLocation): Behavior<MachineControl> => {
    const machine = Object.hasOwn(chart.machines, key) ? chart.machines[key] : undefined
    // Charts are checked when they are read, so a machine of this name exists.
    if (machine === undefined)
      throw new TypeError(`the chart does not contain the machine "${key}"`)
    return machineBehavior(machine, "", location, setting)
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
    highestCount,
    countsModelCalls:
      highestCount === Infinity && maxModelCalls <= counter && !leavesOutBranches(chart, branches),
    countsCycles:
      "cycling" in (chart.machines[chart.root]?.states ?? {}) &&
      chart.settings.maxOrchestrationCycles <= Math.min(counter, highestCount),
    signals: new Set(set.assume.modelSignals),
    activities: new Set(),
    effort: new SearchEffort(set.maxStates),
    policy,
    machine: machineOf,
    target: (key, location) =>
      reducedBehavior(setting.machine(key, location), setting, location.countsWaiting),
  }
  const root: NestedLocation = {
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
 * Returns how many simultaneous tool calls of one model response a violation of the policy can
 * require. For example, the result is 2 for a `notTogether` policy. The search does not explore
 * responses with more calls.
 */
export function concurrentCallsOf({ rule }: Policy): number {
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

/**
 * Returns how many branches of a `forEach` block a violation of the policy can require. For
 * example, the result is 3 if the policy allows at most 2 calls.
 */
export const branchesOf = (policy: Policy): number =>
  policy.rule.pattern === "atMost" ? policy.rule.most + 1 : concurrentCallsOf(policy)

/**
 * Returns whether a function or toolset that the policy file does not declare could cause an event
 * that the policy requires. For example, the policy requires an approval before a call.
 */
function canFulfil({ of, runs }: FunctionUse, { rule }: Policy): boolean {
  if (of === "machine") return false
  return awaitedBy(rule).some(({ kind }) =>
    of === "toolset"
      ? ["call", "result", "approval", "rejection"].includes(kind)
      : kind === "call" || kind === "write" || runs.length > 0,
  )
}

/**
 * Returns the session state keys whose writes are events of the policy. The policy names such keys
 * directly or by a pattern.
 */
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
