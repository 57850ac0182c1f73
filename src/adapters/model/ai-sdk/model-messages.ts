import type { JSONValue, ModelMessage, UserContent as SdkContent } from "ai"
import type { AssistantPart, Message, ToolPart } from "../../../machines/contract/services.js"
import type { UserContent, UserPart } from "../../../machines/contract/user-content.js"

export interface SdkPrompt {
  readonly system?: string
  readonly messages: ModelMessage[]
}

/**
 * Converts the messages of a conversation to messages of the AI SDK. The text of the system
 * messages is returned separately in `system`.
 */
export function sdkPrompt(messages: readonly Message[]): SdkPrompt {
  const system = messages
    .flatMap((message) => (message.role === "system" ? [message.content] : []))
    .join("\n\n")
  return { ...(system !== "" && { system }), messages: messages.flatMap(sdkMessage) }
}

function sdkMessage(message: Message): ModelMessage[] {
  switch (message.role) {
    case "system":
      return []
    case "user":
      return [{ role: "user", content: userContent(message.content) }]
    case "assistant":
      return [
        {
          role: "assistant",
          content:
            typeof message.content === "string"
              ? message.content
              : message.content.map(assistantPart),
        },
      ]
    case "tool":
      return [{ role: "tool", content: message.content.map(toolPart) }]
  }
}

const userContent = (content: UserContent): SdkContent =>
  typeof content === "string" ? content : content.map(userPart)

function userPart(part: UserPart): Exclude<SdkContent, string>[number] {
  if ("text" in part) return { type: "text", text: part.text }
  const { data, mediaType } =
    "inline_data" in part
      ? { data: part.inline_data.data, mediaType: part.inline_data.mime_type }
      : { data: new URL(part.file_data.file_uri), mediaType: part.file_data.mime_type }
  // Providers require a media type for all files except images.
  return mediaType === undefined
    ? { type: "image", image: data }
    : { type: "file", data, mediaType }
}

const assistantPart = (part: AssistantPart) =>
  "text" in part
    ? ({ type: "text", text: part.text } as const)
    : ({
        type: "tool-call",
        toolCallId: part.function_call.id,
        toolName: part.function_call.name,
        input: part.function_call.args,
      } as const)

const toolPart = ({ function_response: { id, name, response } }: ToolPart) =>
  // The cast is safe. Tool results are JSON, although their type is `unknown`.
  ({
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: "json", value: response as JSONValue },
  }) as const
