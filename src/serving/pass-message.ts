import type { MessagePassing, PassedMessage } from "../runtime/journal/message-passing.js"
import type { RunMessage } from "../runtime/run/run-message.js"
import { errorCodeOf, isReportedError, refusedBy } from "./http-error.js"

/** Error codes that mean that this process does not execute the run, or no longer executes it. */
const notHere: ReadonlySet<string> = new Set(["run_owned", "run_suspended"])

const isNotHere = (error: unknown): boolean =>
  isReportedError(error) && notHere.has(errorCodeOf(error))

/**
 * Pause in milliseconds between two attempts to send a message while the run moves to another
 * process.
 */
const pauseMs = 50

/** Maximum number of attempts to send a message while the run moves to another process. */
const maxAttempts = 200

/**
 * Sends a message to a run, even if another process executes the run. `giveHere` sends the message
 * in this process and first resumes the run if no process executes it. If another process executes
 * the run, `passing` passes the message to that process.
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
      if (attempt === maxAttempts) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/**
 * Handles a message that another process has passed to this process. `give` sends the message to
 * the run. Resolves to the outcome. `unowned` means that this process does not execute the run.
 */
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
