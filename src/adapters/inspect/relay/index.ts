/** Local relay between runs in a Node process and viewers in a browser. */
export { startInspectRelay } from "./inspect-relay.js"
export type { InspectRelay, InspectRelayOptions, RelayChannel } from "./inspect-relay.js"
