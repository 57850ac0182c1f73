import { isHelper } from "../../../machines/model-call/helper-agents.js"
import type { RunEvent } from "../../../machines/contract/run-event.js"
import type { RunDetails } from "../../../serving/run-details.js"

/** Role, author and parts of a session event in the Graph Compose API. */
interface SessionMessage {
  readonly role: "user" | "agent" | "system"
  readonly author: string
  readonly parts: readonly object[]
  readonly metadata?: object
}

const textParts = (text: string): readonly object[] => [{ text }]

/** Returns the message that a run event contains, or null if it contains none. */
function messageIn(event: RunEvent): SessionMessage | null {
  switch (event.type) {
    case "run.started":
      return event.prompt === null
        ? null
        : { role: "user", author: "user", parts: textParts(event.prompt) }
    case "user.said":
      return { role: "user", author: "user", parts: textParts(event.text) }
    case "model.responded": {
      if (isHelper(event.agent)) return null
      const { content, toolCalls } = event.answer
      const calls = toolCalls.map(({ id, name, args }) => ({ function_call: { id, name, args } }))
      const parts = [...(content === null || content === "" ? [] : textParts(content)), ...calls]
      return parts.length === 0 ? null : { role: "agent", author: event.agent, parts }
    }
    case "tool.finished":
      return {
        role: "agent",
        author: event.agent,
        parts: [
          { function_response: { id: event.callId, name: event.tool, response: event.response } },
        ],
      }
    case "human.asked":
      return {
        role: "system",
        author: event.agent,
        parts: textParts(event.request.prompt ?? ""),
        metadata: {
          type: "confirmation_requested",
          request_id: event.request.id,
          details: event.request.details ?? null,
        },
      }
    case "human.answered":
      return {
        role: "user",
        author: "user",
        parts: [],
        metadata: { type: "confirmation_answered", request_id: event.id, answer: event.answer },
      }
    default:
      return null
  }
}

/**
 * Returns the conversation of a run as session events of the Graph Compose API. Message parts have
 * the format of Google GenAI.
 */
export const sessionEvents = ({ runId, events }: RunDetails): readonly object[] =>
  events.flatMap((event) => {
    const message = messageIn(event)
    if (message === null) return []
    const { role, author, parts, metadata } = message
    return [
      {
        id: `${runId}-${event.seq}`,
        role,
        author,
        content: { role: role === "agent" ? "model" : role, parts },
        timestamp: new Date(event.at).toISOString(),
        invocation_id: runId,
        ...(metadata !== undefined && { metadata }),
      },
    ]
  })
