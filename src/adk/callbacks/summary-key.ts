const prefix = "_context_summary_"

/**
 * Returns the state key that contains the summary of an agent's conversation, such as
 * `_context_summary_writer`.
 */
export const summaryKeyOf = (agent: string): string => `${prefix}${agent}`

export const isSummaryKey = (key: string): boolean => key.startsWith(prefix)
