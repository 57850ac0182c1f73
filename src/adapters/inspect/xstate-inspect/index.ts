/**
 * Sends runs to viewers that use the protocol of `@xstate/inspect` 0.8. The package
 * `@xstate/inspect`, which depends on XState 4, is not required.
 */
export type { InspectedValueOptions } from "../inspected-value.js"
export { xstateInspectBridge } from "./xstate-inspect-bridge.js"
export type { XStateInspectBridge, XStateInspectOptions } from "./xstate-inspect-bridge.js"
export type { ServiceMessage } from "./service-message.js"
