import type { CallFailure } from "../../machines/contract/services.js"

/**
 * Matches error messages of model providers that report a conversation longer than the context
 * length of the model.
 */
const words =
  /context[ _-]?(?:length|window|size)|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|input token count/i

const advice =
  "the conversation is too long for this model: send less of the history, or use a model with a larger context window"

/**
 * If a model call failed because the conversation exceeds the model's context length, returns the
 * failure with a suggestion. This failure is not retryable, because another attempt would send the
 * same conversation. Returns other failures unchanged.
 */
export function explainContextLength(failure: CallFailure): CallFailure {
  const { code, status, message } = failure
  if (code !== "model_call_failed") return failure
  const isOverloaded = status === 408 || status === 429 || (status !== undefined && status >= 500)
  return isOverloaded || !words.test(message)
    ? failure
    : {
        ...failure,
        retryable: false,
        message: `${message} (${advice})`,
        reason: "context_too_long",
      }
}
