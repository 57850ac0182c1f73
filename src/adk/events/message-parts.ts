import type { AssistantPart, Message, ToolPart } from "../../machines/contract/services.js"
import type { UserContent, UserPart } from "../../machines/contract/user-content.js"
import type { Content, Part } from "./content.js"

/** A content in ADK's format whose list of parts is always present. */
export type ContentWithParts = Content & { readonly parts: readonly Part[] }

/** Converts a message of the session history to ADK's format. */
export const contentOf = ({
  role,
  content,
}: Exclude<Message, { role: "system" }>): ContentWithParts => ({
  role: role === "assistant" ? "model" : "user",
  parts: typeof content === "string" ? [{ text: content }] : content.map(partOf),
})

/** Converts one part of a message, such as a tool call, to ADK's format. */
function partOf(part: UserPart | AssistantPart | ToolPart): Part {
  if ("text" in part) return { text: part.text }
  if ("function_call" in part) return { functionCall: part.function_call }
  if ("function_response" in part) return { functionResponse: part.function_response }
  if ("inline_data" in part)
    return { inlineData: { mimeType: part.inline_data.mime_type, data: part.inline_data.data } }
  const { mime_type: mimeType, file_uri: fileUri } = part.file_data
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri } }
}

/**
 * Converts a message in ADK's format (`Content`) to the content of a user message. The result is a
 * string, or a list of parts if the message contains files. Returns null if the message has neither
 * text nor files.
 */
export function userContentOf({ parts = [] }: Content): UserContent | null {
  const userParts = parts.flatMap(userPart)
  const texts = userParts.flatMap((part) => ("text" in part ? [part.text] : []))
  if (texts.length < userParts.length) return userParts
  return texts.length === 0 ? null : texts.join("")
}

function userPart({ text, inlineData, fileData }: Part): readonly UserPart[] {
  if (inlineData !== undefined)
    return [
      {
        inline_data: {
          mime_type: inlineData.mimeType ?? "application/octet-stream",
          data: inlineData.data ?? "",
        },
      },
    ]
  if (fileData !== undefined)
    return [
      {
        file_data: {
          ...(fileData.mimeType !== undefined && { mime_type: fileData.mimeType }),
          file_uri: fileData.fileUri ?? "",
        },
      },
    ]
  return text === undefined ? [] : [{ text }]
}

/**
 * Converts an ADK content to messages of the session history. A content of a model becomes an
 * assistant message. Other contents become a message with tool results, a user message, or both.
 */
export function messagesOf({ role, parts = [] }: Content): readonly Message[] {
  const results = parts.flatMap(({ functionResponse }): ToolPart[] => {
    if (functionResponse === undefined) return []
    const { id = "", name = "", response = {} } = functionResponse
    return [{ function_response: { id, name, response } }]
  })
  if (role === "model") {
    const content = parts.flatMap(({ text, functionCall }): AssistantPart[] => {
      if (functionCall !== undefined) {
        const { id = "", name = "", args = {} } = functionCall
        return [{ function_call: { id, name, args } }]
      }
      return text === undefined ? [] : [{ text }]
    })
    return content.length === 0 ? [] : [{ role: "assistant", content: plainText(content) }]
  }
  const filledContent = userContentOf({ parts })
  return [
    ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
    ...(filledContent === null ? [] : [{ role: "user" as const, content: filledContent }]),
  ]
}

const plainText = (parts: readonly AssistantPart[]): string | readonly AssistantPart[] => {
  const [only] = parts
  return parts.length === 1 && only !== undefined && "text" in only ? only.text : parts
}
