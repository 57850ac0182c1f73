import type { ModelAnswer } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"

/**
 * Returns a text message as the JSON value of a span attribute, in the format of the semantic
 * conventions for generative AI.
 */
export const textMessage = (role: "user" | "assistant", text: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content: text }] }])

/** Returns the response of a model with its tool calls as the JSON value of a span attribute. */
export const modelMessage = ({
  content,
  toolCalls,
}: Pick<ModelAnswer, "content" | "toolCalls">): string =>
  JSON.stringify([
    {
      role: "assistant",
      parts: [
        ...(content === null ? [] : [{ type: "text", content }]),
        ...toolCalls.map(({ id, name, args }) => ({
          type: "tool_call",
          id,
          name,
          arguments: args,
        })),
      ],
    },
  ])

/**
 * Returns the error message in the result of a tool call. Returns null if the call succeeded. The
 * result of a failed call is an object whose only field is `error`.
 */
export function errorIn(response: JsonObject): string | null {
  const { error, ...others } = response
  return typeof error === "string" && Object.keys(others).length === 0 ? error : null
}

/**
 * Returns the error in the result of a task graph node. Returns null if the node has not failed.
 */
export function nodeErrorOf({
  result,
}: {
  readonly result?: JsonObject
}): { readonly type: string; readonly message: string } | null {
  const error = result?.["error"]
  return isJsonObject(error)
    ? { type: String(error["type"]), message: String(error["message"]) }
    : null
}
