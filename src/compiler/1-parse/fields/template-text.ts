import type { JsonObject } from "../../../machines/data/json-object.js"
import type { ParseBudget } from "../../../template/limits/parse-budget.js"
import { parseTemplate } from "../../../template/parse/parse-template.js"
import { TemplateRefused } from "../../../template/limits/template-errors.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { data } from "./data.js"
import type { Reader } from "./field-table.js"
import { text } from "./plain-values.js"

/**
 * Parses a text that may contain `{{ JSONata }}` templates. Checks only the syntax of the
 * templates, because they are filled for each request at run time.
 */
export const templateText: Reader<string> = (value, location) => {
  const given = text(value, location)
  return given !== null && isReadable(given, location) ? given : null
}

/**
 * Parses an object in which every string, at any depth, may contain `{{ }}` templates. Keys cannot
 * contain templates.
 */
export const templateData: Reader<JsonObject> = (value, location) => {
  const given = data(value, location)
  return given !== null && allReadable(given, location) ? given : null
}

function allReadable(value: unknown, location: ParserLocation): boolean {
  if (typeof value === "string") return isReadable(value, location)
  if (typeof value !== "object" || value === null) return true
  let readable = true
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "string" && typeof inner !== "object") continue
    if (!allReadable(inner, fieldOf(location, Array.isArray(value) ? Number(key) : key)))
      readable = false
  }
  return readable
}

function isReadable(given: string, location: ParserLocation): boolean {
  if (!given.includes("{{")) return true
  const { templates, parsing } = location.parser
  const known = templates.get(given)
  const refusal = known === undefined ? refusalOf(given, parsing) : known
  templates.set(given, refusal)
  if (refusal === null) return true
  const reason = shortened(refusal.message.replace(/\.$/, ""))
  const problem = `has an invalid template at character ${refusal.position + 1}: ${reason}`
  report(location, {
    code: "bad_template",
    problem,
    fix: "Correct the JSONata expression between {{ and }}. docs/config.md describes the syntax of templates.",
  })
  return false
}

function refusalOf(given: string, parsing: ParseBudget): TemplateRefused | null {
  try {
    parsing.spend(given)
    parseTemplate(given)
    return null
  } catch (error) {
    if (error instanceof TemplateRefused) return error
    throw error
  }
}

/**
 * Shortens the message of a syntax error to about 280 characters, because it may contain a long
 * expression.
 */
const shortened = (reason: string): string =>
  reason.length <= 300 ? reason : `${reason.slice(0, 180)} ... ${reason.slice(-100)}`
