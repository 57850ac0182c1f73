import { createWebSocketReceiver } from "@xstate/inspect"
import { WebSocket } from "ws"

// The package was written for browsers: where there is no global WebSocket, as in Node 20, it is given one.
globalThis.WebSocket ??= WebSocket

/** What a viewer hears that was made with `@xstate/inspect`: each message as that package and XState 4 read it. */
export function hear(url, heard) {
  const receiver = createWebSocketReceiver({ server: url.replace(/^ws:\/\//, "") })
  receiver.subscribe((message) => heard(read(message)))
}

/** Parses what XState 4 leaves until it is needed: every target has to exist there. */
function read(message) {
  if (message.type === "service.register") {
    const { machine, state } = message
    JSON.stringify(machine.definition)
    return { ...message, machine: { id: machine.id, paths: machine.stateIds }, state: state.toStrings() }
  }
  if (message.type === "service.state") return { ...message, state: message.state.toStrings(), context: message.state.context, isDone: message.state.done }
  return message
}
