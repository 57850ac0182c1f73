/** Traces and measures runs with OpenTelemetry and its semantic conventions for generative AI. */
export { measureRun } from "./measure-run.js"
export type { MeasureOptions } from "./measure-run.js"
export { traceMachine, traceRun } from "./trace-run.js"
export type { TraceOptions, Traced, TracedMachine } from "./trace-run.js"
