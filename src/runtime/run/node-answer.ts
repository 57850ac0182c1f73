import { AgentStatechartsError } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { jsonValidator } from "../validation/json-validator.js"

/**
 * Returns the value of an answer to a graph node's question (docs/semantics.md#questions-of-nodes).
 * `id` is the id of the request. A text is returned unchanged and is not validated.
 *
 * For an object with the key `result`, the value of this key is used. If this value is a text that
 * the schema does not accept, it is parsed as JSON.
 *
 * @throws AgentStatechartsError `input_refused` if the answer does not match the schema.
 */
export function nodeAnswer(id: string, schema: JsonObject | null, answer: unknown): unknown {
  if (typeof answer === "string") return answer
  const validate = jsonValidator()
  const acceptsText = (text: string): boolean => schema !== null && validate(schema, text) === null
  const value =
    isJsonObject(answer) && Object.hasOwn(answer, "result")
      ? parsedText(answer["result"], acceptsText)
      : answer
  const violation = schema === null ? null : validate(schema, value)
  if (violation === null) return value
  throw new AgentStatechartsError(
    "input_refused",
    `the answer to "${id}" does not match its responseSchema: ${violation}. Send an answer that matches; the request stays open`,
  )
}

function parsedText(value: unknown, acceptsText: (text: string) => boolean): unknown {
  if (typeof value !== "string" || acceptsText(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
