import { whyNotBoolean } from "../../../template/parse/condition-rules.js"
import { parseTemplate } from "../../../template/parse/parse-template.js"
import { scanTemplate } from "../../../template/parse/scan-template.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import type { Reader } from "../fields/field-table.js"
import { list } from "../fields/plain-values.js"
import { templateText } from "../fields/template-text.js"

/** Parses a text that consists of exactly one `{{ JSONata }}` expression. */
export const expression: Reader<string> = (value, location) => {
  const text = templateText(typeof value === "string" ? value.trim() : value, location)
  if (text === null) return null
  const [only, ...others] = scanTemplate(text)
  return only?.type === "expression" && others.length === 0
    ? text
    : report(location, {
        code: "bad_template",
        problem: "must be exactly one template",
        fix: `Write a single expression in double braces, such as "{{ results.get_users.data }}".`,
      })
}

/**
 * Parses a `{{ JSONata }}` condition. Reports an error if the value of the expression can never be
 * a boolean.
 */
export const condition: Reader<string> = (value, location) => {
  const text = expression(value, location)
  if (text === null) return null
  const why = whyNotBoolean(parseTemplate(text))
  return why === null
    ? text
    : report(location, {
        code: "bad_condition",
        problem: `is ${why}, not a boolean expression`,
        fix: 'Write a comparison, such as "{{ data.ready = true }}". The condition is met only if its value is exactly true.',
      })
}

/** Parses a list of `{{ JSONata }}` conditions. Invalid entries are reported and omitted. */
export const conditions: Reader<readonly string[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => condition(entry, fieldOf(location, index)) ?? [],
  ) ?? null
