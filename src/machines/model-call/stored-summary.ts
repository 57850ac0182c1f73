import type { Message, ModelAnswer } from "../contract/services.js"
import { textHash } from "../data/text-hash.js"
import { readKey, writeKey } from "../data/session-state.js"
import type { LlmAgentContext } from "./llm-agent-context.js"

type Context = Pick<LlmAgentContext, "conversation" | "definition" | "input" | "state">

/**
 * A position in a conversation. The position is only valid for a conversation whose messages before
 * the position have the same hash.
 */
interface Mark {
  /** Number of messages before the position. */
  readonly messages: number
  readonly hash: number
}

/** The summary of the oldest messages of a conversation. */
interface Summary extends Mark {
  readonly text: string
}

/**
 * The data that an agent with `compaction` stores about its conversation. It is a hidden key of the
 * session state, so it is kept between the turns and runs of a session.
 */
interface StoredSummary {
  readonly summary: Summary | null
  /** The last request whose number of tokens the model reported; null if there is none. */
  readonly reported: (Mark & { readonly tokens: number }) | null
}

const prefix = "\u0000summary:"

const keyOf = ({ input }: Context): string => prefix + input.agent

/** Returns whether a state key contains the summary of a conversation. Such keys are hidden. */
export const isSummaryKey = (key: string): boolean => key.startsWith(prefix)

const nothingStored: StoredSummary = { summary: null, reported: null }

/**
 * Returns the stored summary of an agent's conversation and the last reported number of tokens.
 * Each of the two is null if it was stored for another conversation, for example because the same
 * agent ran at another location.
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
 * Stores a request's number of tokens as the response reports it. Must be called before the
 * response is added to the conversation.
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

/** Number of messages that a position's hash covers: the last messages before the position. */
const hashed = 3

const markAt = (messages: number, { conversation }: Context): Mark => ({
  messages,
  hash: textHash(JSON.stringify(conversation.slice(Math.max(0, messages - hashed), messages))),
})

/** Returns the messages that the model receives: the summary, and the messages after it. */
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
