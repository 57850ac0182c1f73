import type { AssistantContent, AssistantModelMessage } from "ai"

/** What a provider attaches to the calls of its model, and the model's reasoning before them: some demand them back with the results. */
export interface ProviderMessages {
  keep(runId: string, message: AssistantModelMessage | undefined): void
  /** The message as the provider gave it, where it says the same; else the one that was given. */
  restore(runId: string, message: AssistantModelMessage): AssistantModelMessage
}

type Part = Exclude<AssistantContent, string>[number]

/**
 * Keeps the last messages with calls that hold more than texts and calls, in memory: the journal has the answer of a model, not what is
 * its provider's own. A run that is taken up by another process goes on without it.
 */
export function providerMessages(most = 1000): ProviderMessages {
  const kept = new Map<string, AssistantModelMessage>()
  return {
    keep(runId, message) {
      const key = message === undefined ? null : keyOf(runId, message)
      if (key === null || message === undefined || !partsOf(message).some(hasMore)) return
      kept.delete(key)
      kept.set(key, message)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
    restore(runId, message) {
      const key = keyOf(runId, message)
      const spoken = key === null ? undefined : kept.get(key)
      // A person may have edited the arguments, and a callback the text.
      return spoken !== undefined && saying(spoken) === saying(message) ? spoken : message
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

/** What the run knows of a message. */
function saying(message: AssistantModelMessage): string {
  const parts = partsOf(message)
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [[part.toolCallId, part.toolName, part.input]]
      : [],
  )
  return JSON.stringify([text, calls])
}
