import type { ModelAnswer } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"

/** Returns a text message as the conventions for generative AI encode it in an attribute. */
export const textMessage = (role: "user" | "assistant", text: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content: text }] }])

/** Returns the response of a model, with its tool calls, as an attribute value. */
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
 * Returns the error message of a failed tool call, or null. The model receives a failure as an
 * object with the field `error` and no others.
 */
export function errorIn(response: JsonObject): string | null {
  const { error, ...others } = response
  return typeof error === "string" && Object.keys(others).length === 0 ? error : null
}
