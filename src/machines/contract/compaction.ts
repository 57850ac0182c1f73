/**
 * The maximum size of the conversation that an agent's model receives
 * (docs/semantics.md#long-conversations).
 */
export interface Compaction {
  /**
   * If the next model call has more tokens, the oldest messages are summarized first. Absent: no
   * maximum.
   */
  readonly maxTokens?: number
  /**
   * Number of messages of the user after which all messages before the next one are summarized.
   * Absent: the number of messages does not matter.
   */
  readonly interval?: number
  /**
   * Number of messages of the user before the last summary that the next summary reads again, with
   * the responses to them. Absent: 0.
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
 * The event after a summary. The summary replaces the oldest messages of the conversation in the
 * next model calls of the agent. The numbers of tokens are estimates.
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

/** Returns the id of the agent that writes the summaries for another agent. */
export const summarizerOf = (agent: string): string => prefix + agent

/**
 * Returns whether an agent writes summaries for another agent. Its responses are not part of a
 * conversation, so they are not displayed as messages. Ids in configs cannot contain a colon.
 */
export const isSummarizer = (agent: string): boolean => agent.startsWith(prefix)
