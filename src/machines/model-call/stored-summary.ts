import type { Message, ModelAnswer } from "../contract/services.js"
import { textHash } from "../data/text-hash.js"
import { readKey, writeKey } from "../data/session-state.js"
import type { LlmAgentContext } from "./llm-agent-context.js"

type Context = Pick<LlmAgentContext, "conversation" | "definition" | "input" | "state">

/**
 * A position in a conversation, with a hash of the messages before it. If a conversation has
 * another hash at this position, the stored data belongs to another conversation and is ignored.
 */
interface Mark {
  /** Number of messages in the conversation before this position. */
  readonly messages: number
  readonly hash: number
}

/** A summary that replaces the oldest messages of a conversation. */
interface Summary extends Mark {
  readonly text: string
}

/**
 * The summary and the token count that are stored for an agent with `compaction`. They are stored
 * in the session state under a hidden key, so they are available in later turns and runs of the
 * session.
 */
interface StoredSummary {
  readonly summary: Summary | null
  /**
   * Number of tokens that the model reported for its last request, and the position of this request
   * in the conversation. null if the model has reported no number.
   */
  readonly reported: (Mark & { readonly tokens: number }) | null
}

const prefix = "\u0000summary:"

const keyOf = ({ input }: Context): string => prefix + input.agent

/** Returns whether a state key contains a stored summary. Such keys are hidden from users. */
export const isSummaryKey = (key: string): boolean => key.startsWith(prefix)

const nothingStored: StoredSummary = { summary: null, reported: null }

/**
 * Returns the stored summary of an agent's conversation and the last reported number of tokens.
 * Each of them is null if it belongs to another conversation, for example because the same agent
 * ran at another path.
 */
export function storedSummary(context: Context): StoredSummary {
  // Only this module writes the key.
  const stored = readKey(context.state, keyOf(context)) as StoredSummary | undefined
  if (stored === undefined) return nothingStored
  const { summary, reported } = stored
  if (summary !== null && !isAt(summary, context)) return nothingStored
  return { summary, reported: reported !== null && isAt(reported, context) ? reported : null }
}

export function storeSummary(context: LlmAgentContext, messages: number, text: string): void {
  store(context, { summary: { ...markAt(messages, context), text }, reported: null })
}

/**
 * Stores the number of input tokens that the model reported with its response. Call it before the
 * response is added to the conversation, because the number applies to the messages before the
 * response.
 */
export function storeReportedTokens(context: LlmAgentContext, answer: ModelAnswer): void {
  const usage = answer.usage ?? answer.cached?.usage ?? null
  if (context.definition.compaction === undefined || usage === null) return
  const reported = {
    ...markAt(context.conversation.length, context),
    tokens: usage.inputTokens,
  }
  store(context, { summary: storedSummary(context).summary, reported })
}

function store(context: LlmAgentContext, stored: StoredSummary): void {
  context.state = writeKey(context.state, keyOf(context), stored)
}

const isAt = ({ messages, hash }: Mark, context: Context): boolean =>
  messages <= context.conversation.length && markAt(messages, context).hash === hash

/**
 * Number of messages from which a hash is computed. They are the last messages before a position.
 */
const hashed = 3

const markAt = (messages: number, { conversation }: Context): Mark => ({
  messages,
  hash: textHash(JSON.stringify(conversation.slice(Math.max(0, messages - hashed), messages))),
})

/**
 * Returns the messages that the model receives. If there is a summary, it replaces the oldest
 * messages.
 */
export function visibleMessages(context: Context): readonly Message[] {
  if (context.definition.compaction === undefined) return context.conversation
  const { summary } = storedSummary(context)
  return summary === null
    ? context.conversation
    : [summaryMessage(summary.text), ...context.conversation.slice(summary.messages)]
}

export const summaryMessage = (text: string): Message => ({
  role: "user",
  content: `Summary of the conversation so far:\n${text}`,
})
