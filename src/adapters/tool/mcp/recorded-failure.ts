import type { CallFailure } from "../../../machines/contract/services.js"
import { CallFailedError } from "../../../machines/contract/services.js"

/**
 * The failure of a call as the return value of a recorded step. The failure is returned and not
 * thrown, so that the step records its error code.
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
 * Returns the value that a step has recorded, or throws the failure that it has recorded.
 *
 * @throws CallFailedError if the step has recorded a failure
 */
export function orThrow<Value>(recorded: { readonly value: Value } | RecordedFailure): Value {
  if ("failure" in recorded) throw new CallFailedError(recorded.failure)
  return recorded.value
}
