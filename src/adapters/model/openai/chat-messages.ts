import type { AssistantPart, Message, ToolPart } from "../../../machines/contract/services.js"
import type { UserContent, UserPart } from "../../../machines/contract/user-content.js"

/** A message in the format of OpenAI's chat completions API. */
export type ChatMessage = Readonly<Record<string, unknown>> & {
  readonly role: "system" | "user" | "assistant" | "tool"
}

/**
 * Converts the messages of a conversation to messages of the chat completions API. Each tool result
 * becomes a separate message.
 */
export const chatMessages = (messages: readonly Message[]): readonly ChatMessage[] =>
  messages.flatMap(chatMessage)

function chatMessage(message: Message): readonly ChatMessage[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }]
    case "user":
      return [{ role: "user", content: userContent(message.content) }]
    case "assistant":
      return [
        typeof message.content === "string"
          ? { role: "assistant", content: message.content }
          : assistantMessage(message.content),
      ]
    case "tool":
      return message.content.map(toolMessage)
  }
}

const userContent = (content: UserContent): unknown =>
  typeof content === "string" ? content : content.map(userPart)

function userPart(part: UserPart): unknown {
  if ("text" in part) return { type: "text", text: part.text }
  if ("inline_data" in part) {
    const { mime_type: type, data } = part.inline_data
    const url = `data:${type};base64,${data}`
    return type.startsWith("image/")
      ? { type: "image_url", image_url: { url } }
      : { type: "file", file: { filename: `file.${type.split("/").at(-1)}`, file_data: url } }
  }
  return { type: "image_url", image_url: { url: part.file_data.file_uri } }
}

function assistantMessage(parts: readonly AssistantPart[]): ChatMessage {
  const text = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("")
  const calls = parts.flatMap((part) => ("function_call" in part ? [part.function_call] : []))
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
  }
}

const toolMessage = ({ function_response: { id, response } }: ToolPart): ChatMessage => ({
  role: "tool",
  tool_call_id: id,
  content: JSON.stringify(response),
})
