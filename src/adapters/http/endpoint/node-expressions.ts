import { CallFailedError } from "../../../machines/contract/services.js"
import type { NodeRequest, NodeResponse } from "../../../machines/contract/graphs/node-service.js"
import type { NodeScope } from "../../../machines/data/node-scope.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { fillJson, type JsonTemplate, parseJsonTemplate } from "../../../template/fill/fill-json.js"
import {
  type FillOptions,
  fillTemplate,
  type TemplateScope,
} from "../../../template/fill/fill-template.js"
import { ParseBudget } from "../../../template/limits/parse-budget.js"
import { TemplateFailed, TemplateRefused } from "../../../template/limits/template-errors.js"
import { TemplateMeter } from "../../../template/limits/template-meter.js"
import { parseTemplate, type Template } from "../../../template/parse/parse-template.js"

/** Maximum number of parsed conditions of graph nodes in the cache. */
const maxConditions = 1000

const conditions = new Map<string, Template>()

function parsed(text: string): Template {
  const known = conditions.get(text)
  if (known !== undefined) return known
  const template = parseTemplate(text)
  if (conditions.size >= maxConditions) conditions.clear()
  conditions.set(text, template)
  return template
}

const values = new WeakMap<object, JsonTemplate>()

function parsedValue(value: unknown): JsonTemplate {
  const known = typeof value === "object" && value !== null ? values.get(value) : undefined
  if (known !== undefined) return known
  const template = parseJsonTemplate(value, undefined, "", new ParseBudget())
  if (typeof value === "object" && value !== null) values.set(value, template)
  return template
}

const optionsOf = ({ startedAt }: NodeRequest, missing: FillOptions["missing"]): FillOptions => ({
  ...(missing !== undefined && { missing }),
  now: startedAt,
  insertsNull: true,
  meter: new TemplateMeter(),
})

/**
 * Replaces the templates in a JSON value with their results. Returns undefined if the whole value
 * is a single template and its expression returns no value.
 *
 * @throws CallFailedError if an expression fails
 */
export async function fillValue(
  value: unknown,
  scope: TemplateScope,
  request: NodeRequest,
): Promise<unknown> {
  try {
    return await fillJson(
      parsedValue(value),
      scope,
      optionsOf(request, request.strict ? "fail" : "omit"),
    )
  } catch (error) {
    if (!(error instanceof TemplateFailed) && !(error instanceof TemplateRefused)) throw error
    throw new CallFailedError(
      { code: error.code, message: `node "${request.node}": ${error.message}`, retryable: false },
      { cause: error },
    )
  }
}

/**
 * Evaluates the conditions of a graph node after its HTTP response. Returns the results in the
 * order of `texts`, or an error message if the evaluation of a condition fails. A condition can
 * read the fields of `data` (the response body) by name, unless another variable has the same name.
 */
export async function valuesOfConditions(
  texts: readonly string[],
  { results, ...scope }: NodeScope,
  response: NodeResponse,
  request: NodeRequest,
): Promise<readonly boolean[] | string> {
  if (texts.length === 0) return []
  const { data } = response
  const visible: TemplateScope = {
    ...(isJsonObject(data) && data),
    row: undefined,
    ...scope,
    results: { ...results, [request.node]: response },
    ...response,
  }
  const found: boolean[] = []
  const options = optionsOf(request, "omit")
  for (const text of texts) {
    try {
      found.push((await fillTemplate(parsed(text), visible, options)) === true)
    } catch (error) {
      if (!(error instanceof TemplateFailed) && !(error instanceof TemplateRefused)) throw error
      return `the condition failed: ${error.message}`
    }
  }
  return found
}

export const isEveryTrue = (found: readonly boolean[]): boolean => found.every((value) => value)
