/** A relay on this machine between runs in a process of Node and viewers in a browser. */
export { startInspectRelay } from "./inspect-relay.js"
export type { InspectRelay, InspectRelayOptions, RelayChannel } from "./inspect-relay.js"
