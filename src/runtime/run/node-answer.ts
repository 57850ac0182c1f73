import { AgentStatechartsError } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { jsonValidator } from "../validation/json-validator.js"

/**
 * Returns the answer to a question of a graph node (docs/semantics.md#questions-of-nodes). A text
 * is returned unchanged and is not validated. If the answer is an object with `result`, the value
 * of `result` is used. If it is a text, it is parsed as JSON, unless the schema accepts texts.
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
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
