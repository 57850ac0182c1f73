import { ConditionRefused } from "../../../expression/limits/condition-refused.js"
import { ConditionFailed } from "../../../expression/limits/condition-failed.js"
import type { CompiledCondition } from "../../../expression/compile-condition.js"
import type { ModelRoute } from "../../../machines/contract/activity.js"
import { modelRoute as description } from "../../agent-types/call-settings.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import { condition } from "../fields/condition.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import type { Reader } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { list, objectOf, refuseType } from "../fields/plain-values.js"

/**
 * Returns a function that parses the field `routes`, a list of models with conditions. A listed
 * model is called instead of the agent's own model if its condition is true. The parameter `model`
 * parses the name of a model.
 */
export function modelRoutes(
  model: Reader<string>,
  dialect: Dialect,
): Reader<readonly ModelRoute[]> {
  const table = describedTable(description, dialect, { model, httpConfig, condition })
  const entry = (value: unknown, location: ParserLocation): ModelRoute | null => {
    const object = objectOf(value)
    if (object === null)
      return refuseType(
        value,
        location,
        "an object",
        `{"when": "session_state.get('tier') == 'pro'", "model": "large"}`,
      )
    const { when, model: name, endpoint } = readDescribed(object, table, location).values
    if (when === null) return null
    if (endpoint !== null) return { when, model: endpoint.url, endpoint }
    return name === null ? null : { when, model: name }
  }
  return (value, location) => {
    const entries = list(value, location)
    if (entries === null) return null
    if (entries.length === 0)
      return report(location, {
        code: "bad_value",
        problem: "is an empty list, so only the agent's own model is called",
        fix: "Add a route, or remove the field.",
      })
    const routes = entries.flatMap((one, index) => entry(one, fieldOf(location, index)) ?? [])
    // The indexes in `routes` equal the indexes in the config only if no entry is invalid.
    if (routes.length === entries.length) reportUnused(routes, location)
    return routes
  }
}

/**
 * Reports a warning for each model route that is never used. This happens if the condition of an
 * earlier route is the same, or is always true.
 */
function reportUnused(routes: readonly ModelRoute[], location: ParserLocation): void {
  const known = new Map<string, number>()
  let always: number | null = null
  for (const [index, { when }] of routes.entries()) {
    const earlier = known.get(when)
    const problem =
      always !== null
        ? `is never used, because the condition of entry ${always} is always true`
        : earlier !== undefined
          ? `is never used, because entry ${earlier} has the same condition`
          : null
    if (problem !== null)
      report(fieldOf(location, index), {
        code: "no_effect",
        severity: "warning",
        problem,
        fix: "Remove the route, or move it before the other one.",
      })
    known.set(when, earlier ?? index)
    if (isAlwaysTrue(location.parser.compiled.get(when))) always ??= index
  }
}

/**
 * Returns whether a condition is constant and true. A constant condition does not read the session
 * state.
 */
function isAlwaysTrue(condition: CompiledCondition | ConditionRefused | undefined): boolean {
  if (condition === undefined || condition instanceof ConditionRefused || !condition.constant)
    return false
  try {
    return condition.evaluate({}).truthy
  } catch (cause) {
    if (cause instanceof ConditionFailed) return false
    throw cause
  }
}
