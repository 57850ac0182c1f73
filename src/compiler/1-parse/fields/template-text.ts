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
 * Reads a text that may contain `{{ JSONata }}` templates. Only checks the syntax of the templates,
 * because they are filled later, for each request.
 */
export const templateText: Reader<string> = (value, at) => {
  const given = text(value, at)
  return given !== null && isReadable(given, at) ? given : null
}

/**
 * Reads an object in which every string, at any depth, may contain templates. Keys are not
 * templates.
 */
export const templateData: Reader<JsonObject> = (value, at) => {
  const given = data(value, at)
  return given !== null && allReadable(given, at) ? given : null
}

function allReadable(value: unknown, at: ParserLocation): boolean {
  if (typeof value === "string") return isReadable(value, at)
  if (typeof value !== "object" || value === null) return true
  let readable = true
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "string" && typeof inner !== "object") continue
    if (!allReadable(inner, fieldOf(at, Array.isArray(value) ? Number(key) : key))) readable = false
  }
  return readable
}

function isReadable(given: string, at: ParserLocation): boolean {
  if (!given.includes("{{")) return true
  const { templates, parsing } = at.parser
  const known = templates.get(given)
  const refusal = known === undefined ? refusalOf(given, parsing) : known
  templates.set(given, refusal)
  if (refusal === null) return true
  const reason = shortened(refusal.message.replace(/\.$/, ""))
  const says = `has an invalid template at character ${refusal.position + 1}: ${reason}`
  report(at, {
    code: "bad_template",
    says,
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

/** Shortens the message of a syntax error, because it may contain a long expression. */
const shortened = (reason: string): string =>
  reason.length <= 300 ? reason : `${reason.slice(0, 180)} ... ${reason.slice(-100)}`
