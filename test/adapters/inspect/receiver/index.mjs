import { createWebSocketReceiver } from "@xstate/inspect"
import { WebSocket } from "ws"

// The package was written for browsers. It needs a global WebSocket, which Node 20 does not have.
globalThis.WebSocket ??= WebSocket

/** Receives messages like a viewer that uses `@xstate/inspect`. This package and XState 4 parse each message. */
export function hear(url, heard) {
  const receiver = createWebSocketReceiver({ server: url.replace(/^ws:\/\//, "") })
  receiver.subscribe((message) => heard(read(message)))
}

/** Also parses the parts that XState 4 parses lazily, so that a missing target causes an error. */
function read(message) {
  if (message.type === "service.register") {
    const { machine, state } = message
    JSON.stringify(machine.definition)
    return { ...message, machine: { id: machine.id, paths: machine.stateIds }, state: state.toStrings() }
  }
  if (message.type === "service.state") return { ...message, state: message.state.toStrings(), context: message.state.context, isDone: message.state.done }
  return message
}
