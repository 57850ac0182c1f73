import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import { modelCallRule } from "../budget-rule.js"
import { automatonOf } from "../policy-automaton.js"
import type { Policy, PolicySet, ViolationAction } from "../policy.js"
import type { PriceList } from "../price-list.js"
import { chartNames } from "./chart-names.js"
import { watchFlow } from "./flow/flow-watch.js"
import { watchCost } from "./cost-watch.js"
import type { JudgedEvent } from "./judged-event.js"
import { OccurrenceReader } from "./occurrence-reader.js"
import type { PolicyWatch } from "./policy-watch.js"
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
  const names = chartNames(chart)
  const reader = new OccurrenceReader(chart, names, policies)
  // The prices of a policy file have the format of a price list.
  const allPrices = prices ?? (policies.prices as PriceList | null)
  const watches = policies.policies.flatMap((policy) => {
    const flow = watchFlow(policy, policies, chart, names)
    return flow === null ? watchesOf(policy, chart, allPrices) : [flow]
  })
  return {
    follow<Event extends JudgedEvent>(event: Event) {
      const occurrences = reader.occurrencesOf(event)
      const violations: PolicyViolation<Event>[] = []
      for (const watch of watches) {
        if (!watch.follow(event, occurrences)) continue
        const { name, description, line, column, onViolation } = watch.policy
        if (violations.some((one) => one.policy === name)) continue
        violations.push({ policy: name, description, line, column, onViolation, event })
      }
      reader.follow(event)
      return violations
    },
    violatedBy(event, options) {
      const read = reader.occurrencesOf(event)
      const occurrences =
        options === undefined
          ? read
          : read.map((one) => (one.kind === "call" ? { ...one, ...options } : one))
      const violated = watches.filter((watch) => watch.violates(event, occurrences))
      return [...new Set(violated.map(({ policy }) => policy))]
    },
    isApproved: (call) => reader.isApproved(call),
  }
}

function watchesOf(
  policy: Policy,
  chart: AgentChart,
  prices: PriceList | null,
): readonly PolicyWatch[] {
  const { rule } = policy
  if (rule.pattern === "budget") {
    const { modelCalls, cost } = rule
    const counted: Policy | null =
      modelCalls === null ? null : { ...policy, rule: modelCallRule(["*"], modelCalls) }
    return [
      ...(counted === null ? [] : orderWatch(counted, policy)),
      ...(cost === null ? [] : [watchCost(policy, cost, chart, prices)]),
    ]
  }
  return orderWatch(policy, policy)
}

function orderWatch(judged: Policy, policy: Policy): readonly PolicyWatch[] {
  const automaton = automatonOf(judged)
  return automaton === null ? [] : [watchOrder(policy, automaton)]
}
