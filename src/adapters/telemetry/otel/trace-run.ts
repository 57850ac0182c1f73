import type { SpanContext } from "@opentelemetry/api"
import type { EmittedEvent, RunResult } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/run/run.js"
import type { SpanOptions } from "./run-spans.js"
import { runSpans } from "./run-spans.js"

export type TraceOptions = SpanOptions

export interface Traced {
  /**
   * Returns the context of the workflow span. Store the context, and pass it as `resumed.link` when
   * you resume the run. The new workflow span is then linked to this span. Returns null before the
   * first event.
   */
  spanContext(): SpanContext | null
  /** Stops tracing and ends all open spans. Tracing also stops when the run ends. */
  end(): void
}

/**
 * Traces a run with OpenTelemetry. An `invoke_workflow` span contains `invoke_agent` spans, which
 * contain `chat` and `execute_tool` spans. The times of spans are the times of the run events. If
 * no OpenTelemetry provider is registered, nothing is recorded.
 *
 * To trace a resumed run, call this function in the `before` option of `resume`.
 *
 * @example
 * const run = createRunner({ http }).start(chart, { prompt: "Hello" })
 * traceRun(run, { chart })
 *
 * @example
 * await runner.resume(runId, { before: (run) => traceRun(run, { chart, resumed: { link } }) })
 */
export function traceRun(run: Pick<Run, "events$">, options: TraceOptions = {}): Traced {
  const spans = runSpans(options)
  let last = 0
  const end = (): void => spans.end(last)
  const subscription = run.events$.subscribe({
    next: (event) => {
      last = event.at
      spans.record(event, event.at, event.runId)
    },
    // If a run is suspended, its event stream completes without `run.finished`.
    complete: end,
  })
  // All events that were emitted during `subscribe` are past events.
  if (options.resumed !== undefined) spans.startRecording(options.resumed.time ?? Date.now())
  return {
    spanContext: spans.spanContext,
    end() {
      subscription.unsubscribe()
      end()
    },
  }
}

export interface TracedMachine {
  /** Callback to pass to `toMachine(chart, { onEvent })`. Use it for only one actor. */
  readonly onEvent: (event: EmittedEvent) => void
  spanContext(): SpanContext | null
  /** Ends all open spans. Call it with the result of the actor when the actor has ended. */
  end(result?: RunResult): void
}

/**
 * Traces an XState actor that runs a chart with OpenTelemetry. The events of an actor have no time.
 * Therefore `now` returns the time of each event in milliseconds since the epoch.
 *
 * @example
 * const traced = traceMachine({ chart })
 * const actor = createActor(toMachine(chart, { http, onEvent: traced.onEvent }), { input: { prompt: "Hello" } })
 * void controlActor(actor).result.then(traced.end)
 */
export function traceMachine({
  now = () => Date.now(),
  ...options
}: Omit<TraceOptions, "resumed"> & { readonly now?: () => number } = {}): TracedMachine {
  const spans = runSpans(options)
  return {
    onEvent: (event) => spans.record(event, now(), null),
    spanContext: spans.spanContext,
    end: (result) => spans.end(now(), result),
  }
}
