import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/** What became of a message, as plain JSON: null where the run has handled it, or why it was refused. */
export type MessageOutcome = { readonly code: ErrorCode; readonly message: string } | null

export const rejectionOf = (error: Error): MessageOutcome => ({
  code: error instanceof AgentStatechartsError ? error.code : "internal",
  message: error.message,
})

/** A message that was there when its run ended. */
export const runFinishedError = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError("run_finished", `run "${runId}" had already finished`)

/** @throws AgentStatechartsError the refusal. */
export function throwIfRejected(verdict: MessageOutcome): void {
  if (verdict !== null) throw new AgentStatechartsError(verdict.code, verdict.message)
}
