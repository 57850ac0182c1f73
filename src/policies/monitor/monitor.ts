import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import { modelCallRule } from "../budget-rule.js"
import { automatonOf } from "../policy-automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy, PolicySet, ViolationAction } from "../policy.js"
import type { PriceList } from "../price-list.js"
import { ChartNames } from "./chart-names.js"
import { watchFlow } from "./flow/flow-watch.js"
import { watchCost } from "./cost-watch.js"
import type { JudgedEvent } from "./judged-event.js"
import { OccurrenceReader } from "./occurrence-reader.js"
import type { PolicyWatch } from "./policy-watch.js"
import { interests, readingOf } from "./read-events.js"
import { watchOrder } from "./policy-watch.js"

/** An event of a run that violates a policy. */
export interface PolicyViolation<Event = RunEvent> {
  /** Name of the policy. */
  readonly policy: string
  readonly description: string | null
  /** Position of the policy in its file, from 1. */
  readonly line: number
  readonly column: number
  /** What the policy says about violations; null: its default. */
  readonly onViolation: ViolationAction | null
  readonly event: Event
}

/**
 * Checks policies during a run. The monitor is a fold over the events of one run: it has no clock
 * and no I/O, so the same events always give the same violations.
 */
export interface PolicyMonitor {
  /** Reads the next event of the run. Returns the policies that this event violates. */
  follow<Event extends JudgedEvent>(event: Event): readonly PolicyViolation<Event>[]
  /**
   * Returns the policies that an event would violate as the next event of the run: a
   * `tool.called`, a `model.called` or an `agent.started`. Changes nothing. `approved` replaces
   * whether a person approved the call.
   */
  violatedBy(event: JudgedEvent, options?: { readonly approved: true }): readonly Policy[]
  /** Returns whether a person approved a call with exactly these arguments. */
  isApproved(call: ToolCalledEvent): boolean
}

/**
 * Creates the monitor of one run. `policies` is a set of policies as `readPolicies` returns it.
 * Pass `prices` to replace the prices of the policy file.
 */
export function createPolicyMonitor(
  chart: AgentChart,
  policies: PolicySet,
  prices?: PriceList,
): PolicyMonitor {
  const names = new ChartNames(chart)
  const reader = new OccurrenceReader(chart, names, policies)
  // The prices of a policy file have the format of a price list.
  const allPrices = prices ?? (policies.prices as PriceList | null)
  const watches = policies.policies.flatMap((policy) => {
    const flow = watchFlow(policy, policies, chart, names)
    return flow === null ? watchesOf(policy, chart, names, policies, allPrices) : [flow]
  })
  const interestedIn = interests(watches)
  // An event is often tried before it happens.
  let lastEvent: JudgedEvent | null = null
  let lastRead: readonly Occurrence[] = []
  const occurrencesOf = (event: JudgedEvent): readonly Occurrence[] => {
    if (event !== lastEvent) {
      lastRead = reader.occurrencesOf(event)
      lastEvent = event
    }
    return lastRead
  }
  let current: JudgedEvent | null = null
  const readCurrent = (): readonly Occurrence[] =>
    current === null ? nothing : occurrencesOf(current)
  return {
    follow<Event extends JudgedEvent>(event: Event) {
      const interested = interestedIn(event)
      if (interested.length === 0) {
        reader.follow(event)
        return nothing
      }
      current = event
      let violations: PolicyViolation<Event>[] | null = null
      for (const watch of interested) {
        if (!watch.follow(event, readCurrent)) continue
        const { name, description, line, column, onViolation } = watch.policy
        violations ??= []
        if (violations.some((one) => one.policy === name)) continue
        violations.push({ policy: name, description, line, column, onViolation, event })
      }
      reader.follow(event)
      lastEvent = null
      return violations ?? nothing
    },
    violatedBy(event, options) {
      const interested = interestedIn(event)
      if (interested.length === 0) return nothing
      current = event
      const read =
        options === undefined
          ? readCurrent
          : () => readCurrent().map((one) => (one.kind === "call" ? { ...one, ...options } : one))
      let violated: Set<Policy> | null = null
      for (const watch of interested)
        if (watch.violates(event, read)) (violated ??= new Set()).add(watch.policy)
      return violated === null ? nothing : [...violated]
    },
    isApproved: (call) => reader.isApproved(call),
  }
}

const nothing: readonly never[] = []

function watchesOf(
  policy: Policy,
  chart: AgentChart,
  names: ChartNames,
  set: PolicySet,
  prices: PriceList | null,
): readonly PolicyWatch[] {
  const { rule } = policy
  if (rule.pattern === "budget") {
    const { modelCalls, cost } = rule
    const counted: Policy | null =
      modelCalls === null ? null : { ...policy, rule: modelCallRule(["*"], modelCalls) }
    return [
      ...(counted === null ? [] : orderWatch(counted, policy, names, set)),
      ...(cost === null ? [] : [watchCost(policy, cost, chart, prices)]),
    ]
  }
  return orderWatch(policy, policy, names, set)
}

function orderWatch(
  judged: Policy,
  policy: Policy,
  names: ChartNames,
  set: PolicySet,
): readonly PolicyWatch[] {
  const automaton = automatonOf(judged)
  return automaton === null ? [] : [watchOrder(policy, automaton, readingOf(judged, names, set))]
}
