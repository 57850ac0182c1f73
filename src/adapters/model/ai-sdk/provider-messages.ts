import type { AssistantContent, AssistantModelMessage } from "ai"

/**
 * A cache for assistant messages with provider-specific data, such as reasoning. Some providers
 * require this data in the next request, which contains the results of the tool calls.
 */
export interface ProviderMessages {
  keep(runId: string, message: AssistantModelMessage | undefined): void
  /**
   * Returns the cached message with its provider-specific data. If no message is cached, or if its
   * text or tool calls differ from `message`, returns `message`.
   */
  restore(runId: string, message: AssistantModelMessage): AssistantModelMessage
}

type Part = Exclude<AssistantContent, string>[number]

/**
 * Creates a cache that stores the `most` most recent assistant messages in memory. The cache is
 * needed because the journal stores only the generic part of a response. A run that is resumed in
 * another process continues without provider-specific data.
 */
export function providerMessages(most = 1000): ProviderMessages {
  const messages = new Map<string, AssistantModelMessage>()
  return {
    keep(runId, message) {
      const key = message === undefined ? null : keyOf(runId, message)
      if (key === null || message === undefined || !partsOf(message).some(hasMore)) return
      messages.delete(key)
      messages.set(key, message)
      const [oldest] = messages.keys()
      if (messages.size > most && oldest !== undefined) messages.delete(oldest)
    },
    restore(runId, message) {
      const key = keyOf(runId, message)
      const cached = key === null ? undefined : messages.get(key)
      // A person may have edited the arguments, or a callback may have changed the text.
      return cached !== undefined && contentKey(cached) === contentKey(message) ? cached : message
    },
  }
}

const partsOf = ({ content }: AssistantModelMessage): readonly Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

const hasMore = (part: Part): boolean =>
  part.type === "reasoning" || ("providerOptions" in part && part.providerOptions !== undefined)

function keyOf(runId: string, message: AssistantModelMessage): string | null {
  const first = partsOf(message).find((part) => part.type === "tool-call")
  return first === undefined ? null : `${runId}\n${first.toolCallId}`
}

/**
 * Returns the text and the tool calls of a message as a JSON text. Two messages have equal content
 * if these JSON texts are equal.
 */
function contentKey(message: AssistantModelMessage): string {
  const parts = partsOf(message)
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [[part.toolCallId, part.toolName, part.input]]
      : [],
  )
  return JSON.stringify([text, calls])
}
