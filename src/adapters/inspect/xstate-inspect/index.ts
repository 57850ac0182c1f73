/**
 * Implements the wire protocol of `@xstate/inspect` 0.8 for viewers that use it. The package itself
 * requires XState 4 and is not needed.
 */
export type { ShownOptions } from "../shown-value.js"
export { xstateInspectBridge } from "./xstate-inspect-bridge.js"
export type { XStateInspectBridge, XStateInspectOptions } from "./xstate-inspect-bridge.js"
export type { ServiceMessage } from "./service-message.js"
