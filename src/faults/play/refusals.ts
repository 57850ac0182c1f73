import { AgentStatechartsError, wordsOf } from "../../errors.js"
import { giveMessage } from "../../runtime/run/give-message.js"
import { CheckedControls, type RunOperations } from "../../runtime/run/run-controls.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

const refusals: ReadonlySet<string> = new Set([
  "request_unknown",
  "request_expired",
  "input_refused",
  "run_finished",
  "run_suspended",
  "argument_invalid",
])

/** Returns whether an error is one with which a run refuses a message. */
export const isRefusal = (error: unknown): error is AgentStatechartsError =>
  error instanceof AgentStatechartsError && refusals.has(error.code)

/**
 * Gives a message to a run and returns how the run reacts: it accepts the message, refuses it with
 * a typed error, or throws another error, which is described.
 */
export function reactionTo(message: RunMessage, run: RunOperations): string {
  try {
    giveMessage(new CheckedControls(run), message)
    return "accepted"
  } catch (error) {
    return isRefusal(error)
      ? "refused"
      : `an answer is refused with an error without a code: ${wordsOf(error)}`
  }
}
