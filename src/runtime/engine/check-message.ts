import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import { noUsage } from "../driver/outcome.js"
import { CheckedControls } from "../run/run-controls.js"
import type { RunMessage } from "../run/run-message.js"
import { giveMessage } from "../run/give-message.js"

/**
 * The status and the pending requests of a run, as the run last published them on a durable
 * execution engine such as Temporal. `isOver` is true if the run accepts no further messages.
 */
export interface PublishedRunStatus extends Pick<RunResult, "runId" | "status"> {
  readonly pending: readonly PendingRequest[]
  readonly isOver: boolean
}

/**
 * Checks a message against the published status of a run, so that the sender receives an error
 * immediately. The run checks the message again when it receives it, because its status may have
 * changed.
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
    // In the adk dialect, a run with status `completed` that has not ended waits for the next user
    // message.
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
