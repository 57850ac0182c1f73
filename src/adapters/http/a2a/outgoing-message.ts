import type { Reply } from "../../../machines/contract/pending-request.js"
import type { UserContent } from "../../../machines/contract/user-content.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { WorkflowRequest } from "../../../machines/workflow-agent/workflow-call.js"
import type { A2aVersion } from "./agent-card.js"

/**
 * The content of a message to a remote agent. A message contains user content (text, images or
 * files), structured data, or both.
 */
export interface MessageContent {
  readonly user: UserContent | null
  /** Structured data, which is any JSON value. undefined if the message has no data. */
  readonly data: unknown
}

interface MessageIds {
  readonly messageId: string
  readonly taskId: string | null
  readonly contextId: string | null
}

/**
 * Returns the content of the first message of a call to a remote agent. It contains the prompt, and
 * the input of the call as structured data.
 */
export const firstContent = ({ prompt, input }: WorkflowRequest): MessageContent => ({
  user: prompt,
  data: Object.keys(input).length === 0 ? undefined : input,
})

/**
 * Converts a reply to a question of a remote agent to the content of the message that answers the
 * question.
 */
export function answerContent(reply: Reply): MessageContent {
  switch (reply.type) {
    case "human.answered":
      return typeof reply.value === "string"
        ? { user: reply.value, data: undefined }
        : { user: null, data: reply.value }
    case "user.said":
      return { user: reply.parts ?? reply.text, data: undefined }
    case "human.approved":
      return {
        user: null,
        data: { approved: true, ...(reply.args !== null && { args: reply.args }) },
      }
    case "human.rejected":
      return {
        user: null,
        data: { approved: false, ...(reply.reason !== null && { reason: reply.reason }) },
      }
    case "tool.delivered":
      return { user: null, data: reply.result }
  }
}

/** Creates an A2A message with the role `user`, in the JSON format of the given A2A version. */
export function messageOf(
  version: A2aVersion,
  { user, data }: MessageContent,
  { messageId, taskId, contextId }: MessageIds,
): JsonObject {
  const parts = [
    ...(user === null ? [] : userParts(version, user)),
    ...(data === undefined ? [] : [version === "1.0" ? { data } : { kind: "data", data }]),
  ]
  return {
    ...(version === "0.3" && { kind: "message" }),
    messageId,
    role: version === "1.0" ? "ROLE_USER" : "user",
    parts: parts.length === 0 ? textParts(version, "") : parts,
    ...(taskId !== null && { taskId }),
    ...(contextId !== null && { contextId }),
  }
}

const textParts = (version: A2aVersion, text: string): readonly JsonObject[] => [
  version === "1.0" ? { text } : { kind: "text", text },
]

function userParts(version: A2aVersion, user: UserContent): readonly JsonObject[] {
  if (typeof user === "string") return textParts(version, user)
  return user.flatMap((part): readonly JsonObject[] => {
    if ("text" in part) return textParts(version, part.text)
    const [mimeType, location] =
      "inline_data" in part
        ? [part.inline_data.mime_type, { raw: part.inline_data.data }]
        : [part.file_data.mime_type, { url: part.file_data.file_uri }]
    if (version === "1.0")
      return [{ ...location, ...(mimeType !== undefined && { mediaType: mimeType }) }]
    const file = {
      ...("raw" in location ? { bytes: location.raw } : { uri: location.url }),
      ...(mimeType !== undefined && { mimeType }),
    }
    return [{ kind: "file", file }]
  })
}
