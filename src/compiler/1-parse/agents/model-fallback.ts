import type { FailureClass, ModelFallback } from "../../../machines/contract/activity.js"
import { failureClasses } from "../../../machines/contract/activity.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { modelFallback as description } from "../../agent-types/call-settings.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"
import { httpConfig } from "../fields/http-config.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import type { Reader } from "../fields/field-table.js"
import { list, objectOf, refuseType } from "../fields/plain-values.js"

/**
 * The failures after which a fallback model is called if the fallback does not set the field `on`.
 * Refusals by the model are not included, because other models usually refuse the same request.
 */
const defaultClasses: readonly FailureClass[] = failureClasses.filter((name) => name !== "refused")

/**
 * Returns a function that parses the field `fallback`. This field lists the models that are called
 * if the agent's own model fails. `model` is the function that parses the name of a model.
 */
export function modelFallbacks(
  model: Reader<string>,
  dialect: Dialect,
): Reader<readonly ModelFallback[]> {
  const table = describedTable(description, dialect, { model, httpConfig, failureClasses: classes })
  const entry = (value: unknown, location: ParserLocation): ModelFallback | null => {
    const object = objectOf(value)
    if (object === null) {
      if (typeof value !== "string")
        return refuseType(
          value,
          location,
          "the name of a model or an object",
          '{"model": "backup"}',
        )
      const name = model(value, location)
      return name === null ? null : { model: name, on: defaultClasses }
    }
    const { model: name, endpoint, on = null } = readDescribed(object, table, location).values
    if (endpoint !== null) return { model: endpoint.url, endpoint, on: on ?? defaultClasses }
    return name === null ? null : { model: name, on: on ?? defaultClasses }
  }
  return (value, location) => {
    const entries = list(value, location)
    if (entries === null) return null
    if (entries.length === 0)
      return report(location, {
        code: "bad_value",
        problem: "is an empty list, so no other model is called",
        fix: "Add the name of a model, or remove the field.",
      })
    const known = new Map<string, number>()
    return entries.flatMap((one, index) => {
      const entryLocation = fieldOf(location, index)
      const read = entry(one, entryLocation)
      if (read === null) return []
      const earlier = known.get(read.model)
      if (earlier !== undefined) {
        report(entryLocation, {
          code: "bad_value",
          problem: `is the model ${describeValue(read.model)}, which is already in the list (entry ${earlier})`,
          fix: 'Remove one of the two entries. Add all failures for which the model is called to the "on" of the other entry.',
        })
        return []
      }
      known.set(read.model, index)
      return [read]
    })
  }
}

const classes: Reader<readonly FailureClass[]> = (value, location) => {
  if (typeof value === "string") {
    const one = failureClass(value, location)
    return one === null ? null : [one]
  }
  if (!Array.isArray(value))
    return refuseType(
      value,
      location,
      "a list of classes of failures",
      '["timeout", "unavailable"]',
    )
  if (value.length === 0)
    return report(location, {
      code: "bad_value",
      problem: "is an empty list, so the model is never called",
      fix: 'Add a class of failures such as "timeout", or remove the field.',
    })
  const read = value.map((one: unknown, index) => failureClass(one, fieldOf(location, index)))
  const found = new Set(read.filter((one) => one !== null))
  return failureClasses.filter((name) => found.has(name))
}

const failureClass: Reader<FailureClass> = (value, location) => {
  const found = failureClasses.find((name) => name === value)
  if (found !== undefined) return found
  const suggestion =
    typeof value === "string" ? location.parser.suggest(value, failureClasses) : null
  return report(location, {
    code: "bad_value",
    problem: `must be ${oneOfThese(failureClasses.map((name) => `"${name}"`))}, not ${describeValue(value)}`,
    fix: `${didYouMean(suggestion)}Write one of these classes of failures.`,
  })
}
