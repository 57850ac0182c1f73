import type { SpanContext } from "@opentelemetry/api"
import type { EmittedEvent, RunResult } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/run/run.js"
import type { SpanOptions } from "./run-spans.js"
import { runSpans } from "./run-spans.js"

export type TraceOptions = SpanOptions

export interface Traced {
  /**
   * Returns the context of the workflow's span. Store it and pass it as `resumed.link` when you
   * resume the run. null before the first event.
   */
  spanContext(): SpanContext | null
  /** Stops tracing and ends all open spans. Called automatically when the run finishes. */
  end(): void
}

/**
 * Traces a run with OpenTelemetry: `invoke_workflow` contains `invoke_agent` spans, which contain
 * `chat` and `execute_tool` spans. Spans have the times of the run's events. If no provider is
 * registered, nothing is recorded.
 *
 * To trace a resumed run, call this in `before` of `resume`, after its past events were replayed.
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
    // If the run is closed without ending, its stream completes without `run.finished`.
    complete: end,
  })
  // Events that were emitted during `subscribe` are past events.
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
  /** Pass it to `toMachine(chart, { onEvent })`. Use it for one actor only. */
  readonly onEvent: (event: EmittedEvent) => void
  spanContext(): SpanContext | null
  /** Ends all open spans. Call it when the actor is done, with its result. */
  end(result?: RunResult): void
}

/**
 * Traces an XState actor. Its events have no times, so each gets the time that `now` returns, in
 * milliseconds since the epoch.
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
