import type { CallFailure } from "../../../machines/contract/services.js"
import { CallFailedError } from "../../../machines/contract/services.js"

/**
 * The failure of a call as the return value of a recorded step. A step stores its return value.
 * Therefore the failure is returned instead of thrown, so that its error code is stored.
 */
export interface RecordedFailure {
  readonly failure: CallFailure
}

/**
 * Waits for a call. If the call fails with a `CallFailedError`, resolves to the failure instead of
 * rejecting.
 */
export async function withFailure<Value>(
  response: Promise<Value>,
): Promise<{ readonly value: Value } | RecordedFailure> {
  try {
    return { value: await response }
  } catch (error) {
    if (error instanceof CallFailedError) return { failure: error.failure }
    throw error
  }
}

/**
 * Returns the value in the stored result of a step. If the result contains a failure, throws the
 * failure.
 *
 * @throws CallFailedError if the step has recorded a failure
 */
export function orThrow<Value>(recorded: { readonly value: Value } | RecordedFailure): Value {
  if ("failure" in recorded) throw new CallFailedError(recorded.failure)
  return recorded.value
}
