/**
 * Settings that limit the length of the conversation that an agent's model receives
 * (docs/semantics.md#long-conversations). A summary replaces the older messages.
 */
export interface Compaction {
  /**
   * Maximum number of tokens of a model call. If the next call would have more tokens, the oldest
   * messages are summarized first. If absent, there is no maximum.
   */
  readonly maxTokens?: number
  /**
   * Number of user messages after which the conversation is summarized. The summary is written when
   * the user sends the next message. It replaces all messages before this next message. If absent,
   * the number of messages does not matter.
   */
  readonly interval?: number
  /**
   * Number of user messages, with their responses, that two successive summaries both cover. If
   * absent, the number is 0.
   */
  readonly overlap?: number
  /**
   * Maximum number of recent messages that are not summarized. If absent, only the number of tokens
   * limits them.
   */
  readonly keepMessages?: number
  /** Id of the agent that writes the summaries. It is a key in `agents` of the chart. */
  readonly summarizer: string
}

/**
 * The reason why a conversation was summarized. `max_tokens`: the next model call would have
 * exceeded `maxTokens`. `interval`: the user has sent `interval` messages since the last summary.
 * `context_too_long`: the model rejected the last call because it was too long.
 */
export type CompactionReason = "max_tokens" | "interval" | "context_too_long"

/**
 * The event after a summary was written. In the agent's next model calls, the summary replaces the
 * oldest messages. The numbers of tokens before and after the summary are estimates.
 */
export interface ContextCompacted {
  readonly type: "context.compacted"
  /** Idempotency key of the model call that wrote the summary. */
  readonly call: string
  readonly reason: CompactionReason
  /** Number of messages that the summary replaces. */
  readonly messages: number
  /**
   * Number of recent messages that the summary does not replace. The model still receives them
   * unchanged.
   */
  readonly kept: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

const prefix = "summarizer:"

/**
 * Returns the id of the agent that summarizes the conversation of the given agent, such as
 * `summarizer:desk` for `desk`.
 */
export const summarizerOf = (agent: string): string => prefix + agent

/**
 * Returns whether an agent id belongs to a summarizer, such as `summarizer:desk`. The responses of
 * a summarizer are not displayed as messages, because they are not part of a conversation. Ids in
 * configs cannot contain a colon.
 */
export const isSummarizer = (agent: string): boolean => agent.startsWith(prefix)
