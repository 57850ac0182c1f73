/**
 * A local WebSocket relay that sends inspection messages of runs in a Node process to viewers (web
 * pages) in a browser.
 */
export { startInspectRelay } from "./inspect-relay.js"
export type { InspectRelay, InspectRelayOptions, RelayChannel } from "./inspect-relay.js"
