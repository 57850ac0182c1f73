import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import { noUsage } from "../driver/outcome.js"
import { CheckedControls } from "../run/run-controls.js"
import type { RunMessage } from "../run/run-message.js"
import { giveMessage } from "../run/give-message.js"

/** The last published status of a run on an engine. */
export interface PublishedRunStatus extends Pick<RunResult, "runId" | "status"> {
  readonly pending: readonly PendingRequest[]
  readonly isOver: boolean
}

/**
 * Checks a message against the published status of a run, so that its sender gets an error at
 * once. The run may still reject the message later, because it may have changed meanwhile.
 *
 * @throws AgentStatechartsError the errors of `RunControls`
 */
export function checkMessage(
  { runId, status, pending, isOver }: PublishedRunStatus,
  message: RunMessage,
): void {
  const result: RunResult = { runId, status, text: null, state: {}, error: null, usage: noUsage }
  const controls = new CheckedControls({
    isOpen: () => !isOver,
    // A completed run that is not over is between two invocations (adk).
    isBetweenInvocations: () => !isOver && status === "completed",
    now: () => 0,
    pending: () => pending,
    stopping: null,
    reply: () => null,
    stop: () => null,
    snapshot: () => result,
    whenSettled: () => Promise.resolve(result),
    result: Promise.resolve(result),
  })
  giveMessage(controls, message)
}
