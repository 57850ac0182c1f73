import { isJsonObject, isList } from "../../../machines/data/json-object.js"

/**
 * Converts a chat completion of the OpenAI API to the response of a model service. If the
 * completion is invalid, returns a text that describes the problem.
 */
export function readCompletion(completion: unknown): Readonly<Record<string, unknown>> | string {
  if (!isJsonObject(completion)) return "a body that is not a JSON object"
  const { choices, usage } = completion
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isJsonObject(choice) ? choice["message"] : undefined
  if (!isJsonObject(choice) || !isJsonObject(message))
    return "a body without a choice that has a message"
  const calls = readCalls(message["tool_calls"])
  if (typeof calls === "string") return calls
  // If a model refuses to answer, its text is in a separate field.
  const content = message["content"] ?? message["refusal"] ?? null
  if (content !== null && typeof content !== "string")
    return "a message whose content is not a string"
  if (calls.length === 0 && content === null && choice["finish_reason"] === "length")
    return "an empty message, because the token limit was reached first"
  return { content, toolCalls: calls, ...usageFields(usage) }
}

function readCalls(given: unknown): readonly Readonly<Record<string, unknown>>[] | string {
  if (given === undefined || given === null) return []
  if (!isList(given)) return "tool_calls that are not a list"
  const calls: Readonly<Record<string, unknown>>[] = []
  for (const call of given) {
    const called = isJsonObject(call) ? call["function"] : undefined
    if (!isJsonObject(call) || !isJsonObject(called) || typeof called["name"] !== "string")
      return "a tool call without a function name"
    const args = readArguments(called["arguments"])
    if (args === null)
      return `arguments of the function "${called["name"]}" that are not a JSON object`
    calls.push({
      ...(typeof call["id"] === "string" && { id: call["id"] }),
      function_name: called["name"],
      function_args: args,
    })
  }
  return calls
}

/**
 * Parses the arguments of a tool call. Instead of a JSON text, some servers send an object, or no
 * value if there are no arguments. Returns null if the arguments are invalid.
 */
function readArguments(given: unknown): Readonly<Record<string, unknown>> | null {
  if (given === undefined || given === null || given === "") return {}
  if (isJsonObject(given)) return given
  if (typeof given !== "string") return null
  try {
    const value: unknown = JSON.parse(given)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function usageFields(usage: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(usage)) return {}
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage
  return typeof inputTokens === "number" && typeof outputTokens === "number"
    ? { usage: { inputTokens, outputTokens } }
    : {}
}
