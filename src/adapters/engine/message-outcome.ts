import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/**
 * Outcome of a message to a run, as plain JSON. null if the run has accepted the message.
 * Otherwise, the error code and the reason of the rejection.
 */
export type MessageOutcome = { readonly code: ErrorCode; readonly message: string } | null

export const rejectionOf = (error: Error): MessageOutcome => ({
  code: error instanceof AgentStatechartsError ? error.code : "internal",
  message: error.message,
})

/** Creates the error `run_finished` for a message that arrived after the run had ended. */
export const runFinishedError = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_finished",
    `run "${runId}" has already finished and does not accept input`,
  )

/**
 * Throws an error if the run has rejected a message. Does nothing if the run has accepted it.
 *
 * @throws AgentStatechartsError with the error code and the message of the rejection
 */
export function throwIfRejected(verdict: MessageOutcome): void {
  if (verdict !== null) throw new AgentStatechartsError(verdict.code, verdict.message)
}
