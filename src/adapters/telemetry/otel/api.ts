import { notInstalled } from "../../not-installed.js"

const api = await import("@opentelemetry/api").catch(
  notInstalled("@opentelemetry/api", "1.9.1", "adapters/telemetry/otel"),
)

export const { INVALID_SPAN_CONTEXT, SpanKind, SpanStatusCode, context, metrics, trace } = api
