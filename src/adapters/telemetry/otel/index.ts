/** Traces runs with OpenTelemetry, using its semantic conventions for generative AI. */
export { traceMachine, traceRun } from "./trace-run.js"
export type { TraceOptions, Traced, TracedMachine } from "./trace-run.js"
