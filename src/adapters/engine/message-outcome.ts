import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/**
 * Outcome of a message as plain JSON: null if the run accepted the message, otherwise the reason
 * for the rejection.
 */
export type MessageOutcome = { readonly code: ErrorCode; readonly message: string } | null

export const rejectionOf = (error: Error): MessageOutcome => ({
  code: error instanceof AgentStatechartsError ? error.code : "internal",
  message: error.message,
})

/** Returns the error for a message that was not processed because its run has ended. */
export const runFinishedError = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError("run_finished", `run "${runId}" had already finished`)

/**
 * Throws the rejection as an error. Does nothing if the message was accepted.
 *
 * @throws AgentStatechartsError the error of the rejection
 */
export function throwIfRejected(verdict: MessageOutcome): void {
  if (verdict !== null) throw new AgentStatechartsError(verdict.code, verdict.message)
}
