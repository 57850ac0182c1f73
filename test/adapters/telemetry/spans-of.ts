import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  BasicTracerProvider,
} from "@opentelemetry/sdk-trace-base"
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base"
import type { Span, SpanOptions, Tracer } from "@opentelemetry/api"

/** Returns a tracer that keeps all ended spans and counts the open spans. */
export function spansKept() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  let begun = 0
  const tracer = provider.getTracer("test")
  const counting = {
    startSpan: (
      name: string,
      options?: SpanOptions,
      context?: Parameters<Tracer["startSpan"]>[2],
    ): Span => {
      begun++
      return tracer.startSpan(name, options, context)
    },
  } as Tracer // Only this method is used. The active span never changes.
  return {
    tracer: counting,
    spans: () => exporter.getFinishedSpans(),
    open: () => begun - exporter.getFinishedSpans().length,
  }
}

/** Returns spans as an indented list, in the order of their start. */
export function outline(
  spans: readonly ReadableSpan[],
  of: ReadableSpan | null = null,
): readonly string[] {
  const id = of?.spanContext().spanId
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === id)
    .map((span) => ({ span, at: millisOf(span.startTime), nth: spans.indexOf(span) }))
    .sort((one, other) => one.at - other.at || one.nth - other.nth)
    .flatMap(({ span }) => [
      `${span.name}${span.status.code === 2 ? ` !${String(span.attributes["error.type"])}` : ""}`,
      ...outline(spans, span).map((line) => `  ${line}`),
    ])
}

export const millisOf = ([seconds, nanos]: readonly [number, number]): number =>
  seconds * 1000 + nanos / 1e6

export const called = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined)
    throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`)
  return found
}
