/**
 * Sends data about runs to the inspector of Stately, which shows statecharts, states and messages
 * at https://stately.ai/inspect. Requires the package `@statelyai/inspect`.
 */
export type { InspectedValueOptions } from "../inspected-value.js"
export { statelyInspector } from "./stately-inspector.js"
export type {
  StatelyInspector,
  StatelyInspectorOptions,
  StatelyTarget,
} from "./stately-inspector.js"
