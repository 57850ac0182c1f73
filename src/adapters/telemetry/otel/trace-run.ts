import type { SpanContext } from "@opentelemetry/api"
import type { EmittedEvent, RunResult } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/run/run.js"
import type { SpanOptions } from "./run-spans.js"
import { runSpans } from "./run-spans.js"

export type TraceOptions = SpanOptions

export interface Traced {
  /** Of the workflow's span, to be kept for `resumed.link`; null before there is one. */
  spanContext(): SpanContext | null
  /** Hears no more, and ends the spans that are open. A run that finishes does so by itself. */
  end(): void
}

/**
 * Makes spans of a run: `invoke_workflow` around `invoke_agent` by path, around `chat` and `execute_tool`, with the times of the events.
 * Without a registered provider it does nothing. A run that is taken up again is best traced in `before` of `resume`, where its past
 * has been fed and nothing else has happened.
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
      spans.hear(event, event.at, event.runId)
    },
    // A run that is only suspended here completes its stream without an end of its own.
    complete: end,
  })
  // What is told in the moment in which one listens has happened before.
  if (options.resumed !== undefined) spans.wake(options.resumed.at ?? Date.now())
  return {
    spanContext: spans.spanContext,
    end() {
      subscription.unsubscribe()
      end()
    },
  }
}

export interface TracedMachine {
  /** For `toMachine(chart, { onEvent })`; of one actor, as its events do not say whose they are. */
  readonly onEvent: (event: EmittedEvent) => void
  spanContext(): SpanContext | null
  /** To be called when the actor is done: ends the spans that are open, as the result says. */
  end(result?: RunResult): void
}

/**
 * The same for an actor. Its events have no times: `now` says when they are heard.
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
    onEvent: (event) => spans.hear(event, now(), null),
    spanContext: spans.spanContext,
    end: (result) => spans.end(now(), result),
  }
}
