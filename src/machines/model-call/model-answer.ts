import { thrownMessage } from "../../errors.js"
import type { CallFailure, ModelAnswer, ProposedCall } from "../contract/services.js"
import type { TokenUsage } from "../contract/budget.js"
import { isJsonObject, isList } from "../data/json-object.js"
import { plainJson } from "../data/plain-json.js"

/**
 * Maximum number of tool calls in one model response. The limit is necessary because all calls run
 * at the same time.
 */
const maxToolCalls = 500

export type ReadAnswer =
  | { readonly ok: true; readonly answer: ModelAnswer }
  | { readonly ok: false; readonly failure: CallFailure }

/**
 * Parses the raw response of a model service (docs/semantics.md#model-calls). Ignores unknown
 * fields. Treats null as absent, and an empty list of tool calls as no tool calls. If the response
 * has another format, returns a failure with which the call can be retried.
 */
export function readModelAnswer(raw: unknown): ReadAnswer {
  try {
    return read(raw)
  } catch (cause) {
    return malformed(`it cannot be read: ${thrownMessage(cause)}`)
  }
}

function read(raw: unknown): ReadAnswer {
  if (!isJsonObject(raw))
    return malformed(`the response must be a JSON object, but is ${nameOf(raw)}`)
  const content = own(raw, "content")
  if (content === null && own(raw, "toolCalls") === null && Array.isArray(own(raw, "choices")))
    return malformed(chatCompletion, false)
  if (content !== null && typeof content !== "string")
    return malformed(`"content" must be a string or null, but is ${nameOf(content)}`)
  const calls = readCalls(own(raw, "toolCalls"))
  if (typeof calls === "string") return malformed(calls)
  const hitl = readHitlRequest(own(raw, "hitlRequest"))
  if (typeof hitl === "string") return malformed(hitl)
  for (const flag of ["exitFlow", "escalate", "waitForUserInput"] as const) {
    const value = own(raw, flag)
    if (value !== null && typeof value !== "boolean")
      return malformed(`"${flag}" must be true or false, but is ${nameOf(value)}`)
  }
  return {
    ok: true,
    answer: {
      content,
      toolCalls: calls,
      exitFlow: own(raw, "exitFlow") === true,
      escalate: own(raw, "escalate") === true,
      waitForUserInput: own(raw, "waitForUserInput") === true,
      hitlRequest: hitl,
      usage: knownUsage(own(raw, "usage")),
    },
  }
}

const chatCompletion =
  'it is a chat completion with "choices", as OpenAI\'s API returns. A service with httpConfig returns {"content": "..."}. For this API, replace httpConfig by "model" and run with --openai URL, or register openAiModel({ baseUrl }) as the model'

const malformed = (why: string, retryable = true): ReadAnswer => ({
  ok: false,
  failure: {
    code: "service_answer_malformed",
    message: `the response of the model is malformed: ${why}`,
    retryable,
  },
})

const noCalls: readonly ProposedCall[] = Object.freeze([])

function readCalls(value: unknown): readonly ProposedCall[] | string {
  if (value === null) return noCalls
  if (!isList(value)) return `"toolCalls" must be a list, but is ${nameOf(value)}`
  if (value.length > maxToolCalls)
    return `"toolCalls" has ${value.length} calls, but a response may have at most ${maxToolCalls}`
  const calls: ProposedCall[] = []
  for (const [index, entry] of value.entries()) {
    if (!isJsonObject(entry))
      return `toolCalls[${index}] must be an object, but is ${nameOf(entry)}`
    const id = own(entry, "id")
    if (id !== null && typeof id !== "string")
      return `toolCalls[${index}].id must be a string, but is ${nameOf(id)}`
    const name = own(entry, "function_name")
    if (typeof name !== "string" || name === "")
      return `toolCalls[${index}].function_name must be a string, but is ${nameOf(name)}`
    const given = plainJson(own(entry, "function_args") ?? {})
    if (!given.ok) return `toolCalls[${index}].function_args must be JSON: ${given.why}`
    const args = given.value
    if (!isJsonObject(args))
      return `toolCalls[${index}].function_args must be an object, but is ${nameOf(args)}`
    calls.push({ id: id === "" ? null : id, name, args })
  }
  return calls
}

function readHitlRequest(value: unknown): ModelAnswer["hitlRequest"] | string {
  if (value === null) return null
  if (!isJsonObject(value)) return `"hitlRequest" must be an object, but is ${nameOf(value)}`
  const prompt = own(value, "prompt")
  if (typeof prompt !== "string")
    return `hitlRequest.prompt must be a string, but is ${nameOf(prompt)}`
  const details = plainJson(own(value, "actionDetails"))
  if (!details.ok) return `hitlRequest.actionDetails must be JSON: ${details.why}`
  return { prompt, actionDetails: details.value }
}

/** Returns the token counts of a model response. Returns null if a count is missing or invalid. */
function knownUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null
  const inputTokens = own(value, "inputTokens")
  const outputTokens = own(value, "outputTokens")
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null
  return { inputTokens, outputTokens }
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/**
 * Returns the value of an own property, or null if the object has no such property. Ignores
 * inherited properties.
 */
const own = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(record, key) ? (record[key] ?? null) : null

function nameOf(value: unknown): string {
  if (value === null) return "missing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "an object"
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value)
  return `the ${typeof value} ${text?.slice(0, 60) ?? ""}`.trimEnd()
}
