import { systemKeys } from "../../machines/data/system-keys.js"
import { firstModelsOf } from "../../machines/model-call/agent-models.js"
import type { ConditionOutcome, RunEffect } from "../behavior/behavior.js"
import type { Setting } from "../behavior/setting.js"
import { readCondition } from "../conditions/read-condition.js"
import type { Turn } from "./turn.js"
import type { LlmDefinition } from "./turn-tools.js"

/**
 * Returns the models that can be called first in a turn. For each model, also returns the condition
 * results with which this model is selected.
 */
export function routesOf(
  definition: LlmDefinition,
  asksBudget: boolean,
  { chart }: Setting,
): Pick<Turn, "firstModels" | "routeResults" | "routeFailures" | "failsInCall"> {
  const firstModels = firstModelsOf(definition)
  const { routes = [] } = definition
  // With "continue", a condition that fails counts as false, except if it exceeds a limit.
  const falseIsKnown = chart.settings.onConditionError === "fail"
  const before = (last: number): readonly RunEffect[] =>
    falseIsKnown ? routes.slice(0, last).flatMap(({ when }) => result(when, "fails")) : []
  const routeResults = new Map(
    routes.map(({ when }, route) => [
      firstModels[route + 1] ?? 0,
      [...before(route), ...result(when, "holds")],
    ]),
  )
  routeResults.set(0, [...before(routes.length)])
  const routeFailures = routes.map(({ when }, route) => [
    ...before(route),
    ...(falseIsKnown ? result(when, "raises") : []),
  ])
  const { beforeModel, onModelError } = definition.adk?.hooks ?? {}
  const failsInCall =
    routes.length > 0 &&
    (asksBudget ||
      (beforeModel ?? onModelError) !== undefined ||
      (definition.guardrails?.beside ?? []).length > 0)
  return { firstModels, routeResults, routeFailures, failsInCall }
}

/**
 * Returns the effect which states that a condition has the result `outcome`. Returns an empty list
 * if the condition reads a system key. The model checker does not track the values of system keys
 * during a turn.
 */
function result(source: string, outcome: ConditionOutcome): readonly RunEffect[] {
  const reads = readCondition(source)?.reads ?? []
  return reads.some((key) => systemKeys.has(key))
    ? []
    : [{ type: "condition", source, result: outcome, iteration: "unknown" }]
}
