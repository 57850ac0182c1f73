import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import { giveMessage } from "../../runtime/run/give-message.js"
import { CheckedControls, type RunOperations } from "../../runtime/run/run-controls.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import type { Violation } from "../contract/violation.js"

const refusals: ReadonlySet<string> = new Set([
  "request_unknown",
  "request_expired",
  "input_refused",
  "run_finished",
  "run_suspended",
  "argument_invalid",
])

/**
 * Returns whether an error is a typed error with which a run rejects a message, such as
 * `request_expired`.
 */
export const isRefusal = (error: unknown): error is AgentStatechartsError =>
  error instanceof AgentStatechartsError && refusals.has(error.code)

export type AnswerInvariant = "answered_once" | "answered_in_time"

/**
 * Sends a message that the run must reject with a typed error. Returns null if the run does so. If
 * the run accepts the message, returns a violation of `invariant` with `otherwise` as its text. If
 * the error is not typed, returns a violation of `typed_error`.
 */
export function acceptance(
  message: RunMessage,
  run: RunOperations,
  invariant: AnswerInvariant,
  otherwise: string,
): Violation | null {
  const subject = "id" in message ? message.id : message.type
  try {
    giveMessage(new CheckedControls(run), message)
    return { invariant, subject, message: otherwise }
  } catch (error) {
    if (isRefusal(error)) return null
    const words = `an answer is refused with an error without a code: ${thrownMessage(error)}`
    return { invariant: "typed_error", subject, message: words }
  }
}
