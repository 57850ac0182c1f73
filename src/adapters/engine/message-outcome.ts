import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/**
 * Outcome of a message as plain JSON: null if the run handled it, otherwise the reason for the
 * rejection.
 */
export type MessageOutcome = { readonly code: ErrorCode; readonly message: string } | null

export const rejectionOf = (error: Error): MessageOutcome => ({
  code: error instanceof AgentStatechartsError ? error.code : "internal",
  message: error.message,
})

/** Error for a message that arrived before its run ended but was not handled. */
export const runFinishedError = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError("run_finished", `run "${runId}" had already finished`)

/** @throws AgentStatechartsError the refusal. */
export function throwIfRejected(verdict: MessageOutcome): void {
  if (verdict !== null) throw new AgentStatechartsError(verdict.code, verdict.message)
}
