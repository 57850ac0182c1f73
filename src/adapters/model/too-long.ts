import type { CallFailure } from "../../machines/contract.js"

const words = /context[ _-]?(?:length|window|size)|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|input token count/i

const cure = "the conversation is too long for this model: show the agent less of it, or give it a model with a larger context"

/** Whether a server says that a conversation is longer than its model can take. */
export const saysTooLong = (text: string): boolean => words.test(text)

/** The same failure; where the conversation is too long for the model, with a cure and without another attempt, which would be as long. */
export function explained(failure: CallFailure): CallFailure {
  const { code, status, message } = failure
  if (code !== "model_call_failed") return failure
  const isOverloaded = status === 408 || status === 429 || (status !== undefined && status >= 500)
  return isOverloaded || !saysTooLong(message) ? failure : { ...failure, retryable: false, message: `${message} (${cure})` }
}
