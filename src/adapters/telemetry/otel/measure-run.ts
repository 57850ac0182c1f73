import type { Attributes, Meter, Span, Tracer } from "@opentelemetry/api"
import type { Run } from "../../../runtime/run/run.js"
import { INVALID_SPAN_CONTEXT, metrics } from "./api.js"
import { instrumentsOf, type RunInstruments } from "./instruments.js"
import type { TraceOptions } from "./trace-run.js"
import { traceRun } from "./trace-run.js"

export interface MeasureOptions extends Pick<TraceOptions, "chart" | "provider"> {
  /**
   * OpenTelemetry meter that creates the counters and histograms. Default: the meter
   * `agent-statecharts` of the registered provider.
   */
  readonly meter?: Meter
  /**
   * Whether the run was resumed. If true, events from before the run was resumed are not added to
   * the metrics again. Default: false.
   */
  readonly resumed?: boolean
}

/**
 * Measures a run with OpenTelemetry. The metrics are open and ended runs by status, pending
 * requests, durations, tokens and cost (docs/observability.md#metrics). If no provider is
 * registered, nothing is recorded. Returns a function that stops the measurement. The measurement
 * also stops when the run ends.
 *
 * To measure a resumed run, call this function in the `before` option of `resume`.
 *
 * @example
 * const run = createRunner({ http }).start(chart, { prompt: "Hello" })
 * measureRun(run, { chart })
 */
export function measureRun(
  run: Pick<Run, "events$" | "pending">,
  { meter, resumed = false, ...options }: MeasureOptions = {},
): () => void {
  const measured = new MeasuredRun(
    instrumentsOf(meter ?? metrics.getMeter("agent-statecharts")),
    options.chart === undefined ? {} : { "gen_ai.workflow.name": options.chart.id },
  )
  if (resumed) for (const { id, kind } of run.pending()) measured.requestOpened(id, kind, null)
  const tracer: Tracer = {
    startSpan: (_, spanOptions = {}) =>
      measured.span(spanOptions.attributes ?? {}, timeOf(spanOptions.startTime)),
    // The adapter never makes a span active.
    startActiveSpan: () => {
      throw new TypeError("startActiveSpan is not supported")
    },
  }
  return traceRun(run, { ...options, tracer, ...(resumed && { resumed: {} }) }).end
}

/**
 * The measurements of one run. They are computed from the spans that a trace of the run would
 * contain, so that metrics and traces report the same durations and failures.
 */
class MeasuredRun {
  readonly #instruments: RunInstruments
  readonly #workflow: Attributes
  /**
   * The pending requests of the run by id. `time` is the creation time of the request in
   * milliseconds since the epoch, or null if it is unknown.
   */
  readonly #requests = new Map<string, { readonly kind: string; readonly time: number | null }>()

  constructor(instruments: RunInstruments, workflow: Attributes) {
    this.#instruments = instruments
    this.#workflow = workflow
  }

  span(initial: Attributes, start: number): Span {
    let attributes = { ...initial }
    const operation = attributes["gen_ai.operation.name"]
    const active = this.#activeOf(operation)
    active?.add(1)
    const span: Span = {
      spanContext: () => INVALID_SPAN_CONTEXT,
      isRecording: () => true,
      setAttribute: (key, value) => ((attributes = { ...attributes, [key]: value }), span),
      setAttributes: (more) => ((attributes = { ...attributes, ...more }), span),
      addEvent: (name, event, time) => (this.#event(name, event as Attributes, timeOf(time)), span),
      addLink: () => span,
      addLinks: () => span,
      setStatus: () => span,
      updateName: () => span,
      recordException: () => {},
      end: (time) => {
        active?.add(-1)
        this.#ended(operation, attributes, (timeOf(time) - start) / 1000)
      },
    }
    return span
  }

  requestOpened(id: string, kind: string, time: number | null): void {
    this.#requests.set(id, { kind, time })
    this.#instruments.pendingRequests.add(1, this.#requestAttributes(kind))
  }

  #requestClosed(id: string, time: number | null): void {
    const request = this.#requests.get(id)
    if (request === undefined) return
    this.#requests.delete(id)
    const attributes = this.#requestAttributes(request.kind)
    this.#instruments.pendingRequests.add(-1, attributes)
    if (time !== null && request.time !== null)
      this.#instruments.requestDuration.record((time - request.time) / 1000, attributes)
  }

  #event(name: string, attributes: Attributes, time: number): void {
    const id = String(attributes["agent_statecharts.request.id"])
    if (name === "human.asked" || name === "user.awaited")
      this.requestOpened(id, String(attributes["agent_statecharts.request.kind"]), time)
    if (name === "human.answered" || name === "user.said" || name === "request.expired")
      this.#requestClosed(id, time)
  }

  #ended(operation: unknown, attributes: Attributes, seconds: number): void {
    const { runDuration, operationDuration, tokens, cost } = this.#instruments
    if (operation === "invoke_workflow") {
      const status = attributes["agent_statecharts.status"] ?? "suspended"
      runDuration.record(seconds, { ...this.#workflow, "agent_statecharts.status": status })
      for (const id of this.#requests.keys()) this.#requestClosed(id, null)
    }
    if (operation !== "chat" && operation !== "execute_tool") return
    const call = { ...this.#workflow, ...metricAttributesOf(attributes) }
    operationDuration.record(seconds, call)
    for (const [type, key] of tokenTypes) {
      const count = attributes[key]
      if (typeof count === "number") tokens.record(count, { ...call, "gen_ai.token.type": type })
    }
    const price = attributes["agent_statecharts.cost"]
    if (typeof price === "number") cost.add(price, call)
  }

  #activeOf(operation: unknown): { add(change: number): void } | null {
    const { activeRuns, activeCalls } = this.#instruments
    if (operation === "invoke_workflow")
      return { add: (change) => activeRuns.add(change, this.#workflow) }
    if (operation !== "chat" && operation !== "execute_tool") return null
    const attributes = { ...this.#workflow, "gen_ai.operation.name": operation }
    return { add: (change) => activeCalls.add(change, attributes) }
  }

  #requestAttributes(kind: string): Attributes {
    return { ...this.#workflow, "agent_statecharts.request.kind": kind }
  }
}

const tokenTypes = [
  ["input", "gen_ai.usage.input_tokens"],
  ["output", "gen_ai.usage.output_tokens"],
] as const

/**
 * Span attributes that are also recorded with metrics. Each of these attributes has only a few
 * different values, so the number of time series stays small.
 */
const metricAttributes = [
  "gen_ai.operation.name",
  "gen_ai.request.model",
  "gen_ai.provider.name",
  "gen_ai.tool.name",
  "error.type",
]

const metricAttributesOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    metricAttributes.flatMap((key) =>
      attributes[key] === undefined ? [] : [[key, attributes[key]]],
    ),
  )

/** Converts the time of a span to milliseconds. The time is an array of seconds and nanoseconds. */
const timeOf = (time: unknown): number => {
  const [seconds, nanoseconds] = time as readonly [number, number]
  return seconds * 1000 + nanoseconds / 1e6
}
