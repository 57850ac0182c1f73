/**
 * The settings that limit the conversation that an agent's model receives
 * (docs/semantics.md#long-conversations). Older messages are replaced with a summary.
 */
export interface Compaction {
  /**
   * Maximum number of tokens of a model call. Before a call with more tokens, the oldest messages
   * are summarized. Absent: no maximum.
   */
  readonly maxTokens?: number
  /**
   * Number of user messages after which the conversation is summarized. The next user message and
   * those after it are kept. Absent: the number of messages does not matter.
   */
  readonly interval?: number
  /**
   * Number of user messages, with the responses to them, that the next summary covers again
   * although the last summary already covers them. Absent: 0.
   */
  readonly overlap?: number
  /**
   * Maximum number of recent messages that are not summarized. Absent: as many as fit in half of
   * `maxTokens`.
   */
  readonly keepMessages?: number
  /** Id of the agent in `agents` of the chart that writes the summaries. */
  readonly summarizer: string
}

/**
 * The reason why a conversation was summarized. `max_tokens`: the next model call exceeded
 * `maxTokens`. `interval`: the user has sent `interval` messages since the last summary.
 * `context_too_long`: the model rejected the last call because it was too long.
 */
export type CompactionReason = "max_tokens" | "interval" | "context_too_long"

/**
 * The event after a summary. The summary replaces the oldest messages in the agent's next model
 * calls. The numbers of tokens are estimates.
 */
export interface ContextCompacted {
  readonly type: "context.compacted"
  /** Key of the model call that wrote the summary. */
  readonly call: string
  readonly reason: CompactionReason
  /** Number of messages that the summary replaces. */
  readonly messages: number
  /** Number of recent messages that the model still receives unchanged. */
  readonly kept: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

const prefix = "summarizer:"

/** Returns the id of the agent that summarizes another agent's conversation. */
export const summarizerOf = (agent: string): string => prefix + agent

/**
 * Returns whether an agent summarizes another agent's conversation. Its responses are not part of a
 * conversation, so they are not displayed as messages. The id contains a colon, which ids in
 * configs cannot contain.
 */
export const isSummarizer = (agent: string): boolean => agent.startsWith(prefix)
