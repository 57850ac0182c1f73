import type { RunControls } from "./run-controls.js"
import { checkMessageType, type RunMessage } from "./run-message.js"

/**
 * Sends a message to a run and returns immediately, before the journal has stored the message. To
 * wait until it is stored, call `run.give` instead.
 *
 * @throws AgentStatechartsError the errors of `RunControls`, and `input_refused` if the value is
 * not a message
 */
export function giveMessage(
  run: Omit<RunControls, "give" | "snapshot" | "whenSettled" | "result">,
  message: RunMessage,
): void {
  checkMessageType(message)
  switch (message.type) {
    case "approve":
      return run.approve(message.id, message.args === undefined ? {} : { args: message.args })
    case "reject":
      return run.reject(message.id, message.reason)
    case "answer":
      return run.answer(message.id, message.value)
    case "say":
      return run.say(
        message.content,
        message.request === undefined ? {} : { request: message.request },
      )
    case "deliver":
      return run.deliver(message.callId, message.result)
    case "end":
      return run.end()
    case "cancel":
      return run.cancel()
  }
}
