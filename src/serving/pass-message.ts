import type { MessagePassing, PassedMessage } from "../runtime/journal/message-passing.js"
import type { RunMessage } from "../runtime/run/run-message.js"
import { errorCodeOf, isReportedError, refusedBy } from "./http-error.js"

/** The errors of a run that this process does not execute, or no longer executes. */
const notHere: ReadonlySet<string> = new Set(["run_owned", "run_suspended"])

const isNotHere = (error: unknown): boolean =>
  isReportedError(error) && notHere.has(errorCodeOf(error))

/** Pause between two attempts while the ownership of a run changes, in milliseconds. */
const pauseMs = 50

/** Number of attempts while the ownership of a run changes. */
const mostAttempts = 200

/**
 * Gives a message to a run. `giveHere` resumes the run in this process if it has no owner. If
 * another process executes the run, the message is passed to this process.
 */
export async function passMessage(
  passing: MessagePassing | undefined,
  runId: string,
  message: RunMessage,
  giveHere: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await giveHere()
    } catch (error) {
      if (passing === undefined || !isNotHere(error)) throw error
      const passed = await passing.send(runId, message)
      if (passed.status === "accepted") return
      if (passed.status === "refused") throw refusedBy(passed)
      if (attempt === mostAttempts) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Gives a message of another process to a run that this process executes, and returns the result. */
export async function receiveMessage(give: () => Promise<void>): Promise<PassedMessage> {
  try {
    await give()
    return { status: "accepted" }
  } catch (error) {
    if (isNotHere(error)) return { status: "unowned" }
    if (isReportedError(error))
      return { status: "refused", code: errorCodeOf(error), message: error.message }
    return { status: "refused", code: "internal", message: String(error) }
  }
}
