import { refuse } from "../common/refuse.js"

/**
 * Streaming modes of ADK. `NONE` and `SSE` have the same effect, because texts are always delivered
 * as a whole. `BIDI` is not supported.
 */
export const StreamingMode = { NONE: undefined, SSE: "sse", BIDI: "bidi" } as const

/** Options of one call of `runAsync`. */
export interface RunConfig {
  /**
   * Maximum number of model calls. If it is omitted, or 0 or less, the maximum of the workflow
   * applies (500 by default).
   */
  readonly maxLlmCalls?: number
  readonly streamingMode?: (typeof StreamingMode)[keyof typeof StreamingMode]
  readonly pauseOnToolCalls?: boolean
}

/**
 * Returns the maximum number of model calls. Returns undefined if the maximum of the workflow
 * applies.
 *
 * @throws AgentStatechartsError `definition_refused` for options that are not supported.
 */
export function maxModelCallsOf(config: RunConfig = {}): number | undefined {
  const { maxLlmCalls, streamingMode, pauseOnToolCalls, ...others } = config
  if (streamingMode === StreamingMode.BIDI)
    refuse("runConfig.streamingMode BIDI is not supported.", "Use StreamingMode.NONE.")
  if (pauseOnToolCalls === true)
    refuse("runConfig.pauseOnToolCalls is not supported.", "Use a long-running tool.")
  for (const [field, value] of Object.entries(others))
    if (value !== undefined && value !== false)
      refuse(`runConfig.${field} is not supported.`, "Remove it.")
  return maxLlmCalls !== undefined && maxLlmCalls > 0 ? maxLlmCalls : undefined
}
