/** Stately's inspector: charts, states and messages of runs and actors, in the viewer of https://stately.ai/inspect. Needs `@statelyai/inspect`. */
export type { ShownOptions } from "../shown-value.js"
export { statelyInspector } from "./stately-inspector.js"
export type {
  StatelyInspector,
  StatelyInspectorOptions,
  StatelyTarget,
} from "./stately-inspector.js"
