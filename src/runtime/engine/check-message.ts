import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import { noUsage } from "../driver/outcome.js"
import { CheckedControls } from "../run/run-controls.js"
import type { RunMessage } from "../run/run-message.js"
import { giveMessage } from "../run/give-message.js"

/** How a run stood when it was last looked at from outside. */
export interface PublishedRunStatus extends Pick<RunResult, "runId" | "status"> {
  readonly pending: readonly PendingRequest[]
  readonly isOver: boolean
}

/**
 * Whether a run that stands like this would take a message: for whoever passes it on and can refuse it to its sender at once. The run
 * itself has the last word, as it may have gone on meanwhile.
 *
 * @throws AgentStatechartsError what the controls of a run throw.
 */
export function checkMessage(
  { runId, status, pending, isOver }: PublishedRunStatus,
  message: RunMessage,
): void {
  const result: RunResult = { runId, status, text: null, state: {}, error: null, usage: noUsage }
  const controls = new CheckedControls({
    isOpen: () => !isOver,
    // A run that has completed and is not over rests between two invocations (adk).
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
