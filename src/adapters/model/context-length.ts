import type { CallFailure } from "../../machines/contract/services.js"

/** Matches error messages about exceeded context length. */
const words =
  /context[ _-]?(?:length|window|size)|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|input token count/i

const advice =
  "the conversation is too long for this model: send less of the history, or use a model with a larger context window"

/**
 * Adds a suggestion to a failure caused by a conversation that exceeds the context length, and
 * makes it non-retryable, because a retry would be equally long.
 */
export function explainContextLength(failure: CallFailure): CallFailure {
  const { code, status, message } = failure
  if (code !== "model_call_failed") return failure
  const isOverloaded = status === 408 || status === 429 || (status !== undefined && status >= 500)
  return isOverloaded || !words.test(message)
    ? failure
    : { ...failure, retryable: false, message: `${message} (${advice})` }
}
