/**
 * A local relay that sends inspection messages of runs in a Node process to viewers in a browser.
 */
export { startInspectRelay } from "./inspect-relay.js"
export type { InspectRelay, InspectRelayOptions, RelayChannel } from "./inspect-relay.js"
