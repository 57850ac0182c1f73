import { type FillOptions, fillTemplate, type TemplateScope } from "./fill-template.js"
import type { ParseBudget } from "../limits/parse-budget.js"
import { parseTemplate, type Template } from "../parse/parse-template.js"
import { TemplateRefused } from "../limits/template-errors.js"
import { TemplateMeter } from "../limits/template-meter.js"
import type { TemplateLimits } from "../limits/template-limits.js"

/**
 * A parsed JSON value whose strings may contain `{{ }}` templates at any depth. Object keys are
 * never parsed as templates.
 */
export type JsonTemplate =
  | { readonly type: "constant"; readonly value: unknown }
  | { readonly type: "template"; readonly template: Template; readonly pointer: string }
  | { readonly type: "list"; readonly entries: readonly JsonTemplate[] }
  | { readonly type: "object"; readonly entries: readonly (readonly [string, JsonTemplate])[] }

/**
 * Parses the `{{ }}` templates in all strings of a JSON value.
 *
 * @throws TemplateRefused if a template is invalid. The message contains the JSON pointer of the
 * template.
 */
export function parseJsonTemplate(
  value: unknown,
  limits?: TemplateLimits,
  pointer = "",
  budget?: ParseBudget,
): JsonTemplate {
  if (typeof value === "string") {
    return value.includes("{{")
      ? { type: "template", template: parseAt(value, pointer, limits, budget), pointer }
      : { type: "constant", value }
  }
  if (Array.isArray(value)) {
    return {
      type: "list",
      entries: value.map((entry: unknown, index) =>
        parseJsonTemplate(entry, limits, `${pointer}/${index}`, budget),
      ),
    }
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, entry]: [string, unknown]) =>
        [key, parseJsonTemplate(entry, limits, `${pointer}/${pointerKey(key)}`, budget)] as const,
    )
    return { type: "object", entries }
  }
  return { type: "constant", value }
}

/**
 * Returns a copy of a JSON value in which every template is replaced by the value of its
 * expressions.
 */
export async function fillJson(
  json: JsonTemplate,
  scope: TemplateScope,
  options: FillOptions = {},
): Promise<unknown> {
  const meter = options.meter ?? new TemplateMeter()
  return filled(json, scope, { ...options, meter })
}

/**
 * Replaces the templates in a JSON value. Entries of a list or object are filled one after the
 * other, not in parallel, so that a pause of one template pauses the whole call.
 */
async function filled(
  json: JsonTemplate,
  scope: TemplateScope,
  options: FillOptions,
): Promise<unknown> {
  switch (json.type) {
    case "constant":
      return json.value
    case "template":
      return fillTemplate(json.template, scope, options)
    case "list": {
      const list: unknown[] = []
      for (const entry of json.entries) list.push((await filled(entry, scope, options)) ?? null)
      return list
    }
    case "object": {
      const entries: (readonly [string, unknown])[] = []
      for (const [key, entry] of json.entries)
        entries.push([key, await filled(entry, scope, options)])
      // Omit fields whose expression has no value.
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    }
  }
}

/** Returns all templates in a parsed JSON value, in document order. */
export function templatesIn(json: JsonTemplate): readonly Template[] {
  switch (json.type) {
    case "constant":
      return []
    case "template":
      return [json.template]
    case "list":
      return json.entries.flatMap(templatesIn)
    case "object":
      return json.entries.flatMap(([, entry]) => templatesIn(entry))
  }
}

function parseAt(
  text: string,
  pointer: string,
  limits: TemplateLimits | undefined,
  budget: ParseBudget | undefined,
): Template {
  try {
    budget?.spend(text)
    return parseTemplate(text, limits)
  } catch (error) {
    if (!(error instanceof TemplateRefused) || pointer === "") throw error
    throw new TemplateRefused(error.position, `at ${pointer}: ${error.message}`, { cause: error })
  }
}

const pointerKey = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")
