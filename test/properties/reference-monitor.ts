import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { violatedState } from "../../src/policies/automaton.js"
import { modelCallRule } from "../../src/policies/budget-rule.js"
import { ChartNames } from "../../src/policies/monitor/chart-names.js"
import { OccurrenceReader } from "../../src/policies/monitor/occurrence-reader.js"
import { automatonOf } from "../../src/policies/policy-automaton.js"
import type { PolicySet } from "../../src/policies/policy.js"

/**
 * Returns a function that reads every event of a run with every automaton, without any index. It
 * returns the names of the violated policies about the order or number of occurrences.
 */
export function referenceMonitor(
  chart: AgentChart,
  set: PolicySet,
): { readonly judges: ReadonlySet<string>; follow(event: RunEvent): readonly string[] } {
  const reader = new OccurrenceReader({ chart, set, names: new ChartNames(chart) })
  const watches = set.policies.flatMap((policy) => {
    const { rule } = policy
    const isBudget = rule.pattern === "budget" && rule.modelCalls !== null
    const counted = isBudget ? modelCallRule(["*"], rule.modelCalls) : rule
    const automaton = automatonOf({ ...policy, rule: counted })
    return automaton === null ? [] : [{ policy, automaton, states: [automaton.start] }]
  })
  return {
    judges: new Set(watches.map(({ policy }) => policy.name)),
    follow(event) {
      const occurrences = reader.occurrencesOf(event)
      const names: string[] = []
      for (const watch of watches) {
        const { policy, automaton } = watch
        const isWhenever = policy.rule.pattern === "whenever"
        let isViolated = false
        for (const occurrence of occurrences)
          watch.states = [
            ...new Set(
              watch.states.flatMap((state) =>
                automaton.next(state, occurrence).map((next) => {
                  if (next !== violatedState) return next
                  isViolated = true
                  return isWhenever ? automaton.fulfil(state) : state
                }),
              ),
            ),
          ]
        if (isViolated) names.push(policy.name)
      }
      reader.follow(event, true)
      return names
    },
  }
}
