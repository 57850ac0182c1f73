import type { CallFailure } from "../../machines/contract/services.js"

/** How servers say that a conversation is longer than their model can take. */
const words =
  /context[ _-]?(?:length|window|size)|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|input token count/i

const cure =
  "the conversation is too long for this model: send less of the history, or use a model with a larger context window"

/** The same failure; where the conversation is too long for the model, with a cure and without another attempt, which would be as long. */
export function explainContextLength(failure: CallFailure): CallFailure {
  const { code, status, message } = failure
  if (code !== "model_call_failed") return failure
  const isOverloaded = status === 408 || status === 429 || (status !== undefined && status >= 500)
  return isOverloaded || !words.test(message)
    ? failure
    : { ...failure, retryable: false, message: `${message} (${cure})` }
}
