import { INVALID_SPAN_CONTEXT, metrics, trace } from "./api.js"

/**
 * Returns whether a program has registered an OpenTelemetry provider. Without a provider,
 * `getMeter` returns the same meter for every name, and no span is recorded.
 */
export function hasProvider(): boolean {
  if (metrics.getMeter("agent-statecharts") !== metrics.getMeter("other")) return true
  const span = trace.getTracer("agent-statecharts").startSpan("probe")
  span.end()
  return span.isRecording() || span.spanContext().traceId !== INVALID_SPAN_CONTEXT.traceId
}
