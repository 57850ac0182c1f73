import type { RestatePromise as Promised, WorkflowContext } from "@restatedev/restate-sdk"
import type { Engine, EngineEvent } from "../../../runtime/engine/engine.js"
import type { Run } from "../../../runtime/run/run.js"
import { dueTimes } from "./due-times.js"
import { rejectionOf } from "../message-outcome.js"
import type { Inbox, InboxEntry } from "./inbox.js"
import { reportOutcome } from "./inbox.js"
import type { FinishedCall, RestateCalls } from "./open-calls.js"
import { CancelledError, RestatePromise } from "./sdk.js"
import { sendState } from "./state-reply.js"
import type { StatusWriter } from "./run-status.js"
import { textSerde } from "./text-serde.js"

interface Parts {
  readonly calls: RestateCalls
  readonly inbox: Inbox
  readonly status: StatusWriter
}

/**
 * The next input of a run that Restate executes. It contains results of calls, an inbox entry, an
 * expired timer, or a cancellation in Restate.
 */
type EngineInput =
  | { readonly type: "arrivals"; readonly arrivals: readonly FinishedCall[] }
  | { readonly type: "entry"; readonly entry: InboxEntry }
  | { readonly type: "timer"; readonly time: number }
  | { readonly type: "cancelled" }

/**
 * Creates the engine that executes a run in the handler of a Restate workflow. The engine waits for
 * at most three promises at a time: the step that executes all calls, the next inbox entry, and the
 * earliest due time. With one promise per call, the duration of each wait would grow with the
 * number of calls. In a measurement, a run with 1,000 parallel calls took 3.2 s instead of 0.2 s.
 */
export function restateEngine(ctx: WorkflowContext, { calls, inbox, status }: Parts): Engine {
  const times = dueTimes()
  let step: Promised<EngineInput> | null = null
  let entryPromise: Promised<EngineInput> | null = null
  let alarm: { readonly until: number; readonly promise: Promised<EngineInput> } | null = null
  /**
   * Results of calls that have arrived, in order. The first `deliveredCount` of them have been
   * passed to the run.
   */
  let arrivals: readonly FinishedCall[] = []
  let deliveredCount = 0
  /**
   * Name of the durable promise that receives the outcome of the current message. null if there is
   * no current message.
   */
  let reading: string | null = null
  /**
   * Latest time in the stored inputs that the run has received, in milliseconds since the epoch.
   * Because these inputs are stored, the time is the same in every execution.
   */
  let now = 0

  function nextArrival(): EngineEvent | null {
    for (let next = arrivals[deliveredCount]; next !== undefined; next = arrivals[deliveredCount]) {
      deliveredCount++
      if (!calls.has(next.n) && !times.has(next.n)) continue
      calls.close(next.n)
      times.remove(next.n)
      now = Math.max(now, next.result.at)
      return next
    }
    return null
  }

  function deliver(results: readonly FinishedCall[]): void {
    arrivals = results
    deliveredCount = 0
  }

  function work(): readonly Promised<EngineInput>[] {
    if (!calls.hasOpenCalls()) step = null
    else
      step ??= ctx
        .run(calls.describe(), () => calls.perform(), { serde: textSerde })
        .map((json) => ({
          type: "arrivals",
          arrivals: JSON.parse(json ?? "[]") as readonly FinishedCall[],
        }))
    return step === null ? [] : [step]
  }

  function timer(): readonly Promised<EngineInput>[] {
    const until = times.earliest()
    if (until === null) return []
    if (alarm?.until !== until)
      alarm = {
        until,
        promise: ctx
          .sleep(Math.max(0, until - now), "timer")
          .map(() => ({ type: "timer", time: until })),
      }
    return [alarm.promise]
  }

  async function nextInput(): Promise<EngineInput> {
    // The cast is safe. An inbox entry always has a value.
    entryPromise ??= inbox.next().map((entry) => ({ type: "entry", entry: entry as InboxEntry }))
    try {
      return await RestatePromise.race([entryPromise, ...work(), ...timer()])
    } catch (error) {
      if (error instanceof CancelledError) return { type: "cancelled" }
      throw error
    }
  }

  return {
    begin(call, at) {
      now = Math.max(now, at)
      if (call.src !== "sleepUntil") return calls.begin(call)
      times.add(call.n, (call.input as { readonly until: number }).until)
      return () => times.remove(call.n)
    },
    async next(run: Run): Promise<EngineEvent> {
      for (;;) {
        const arrival = nextArrival()
        if (arrival !== null) return arrival
        status.update(run, calls.hasOpenCalls())
        const input = await nextInput()
        switch (input.type) {
          case "arrivals":
            step = null
            deliver(input.arrivals)
            break
          case "timer":
            alarm = null
            deliver(
              times
                .upTo(input.time)
                .map(({ n, until }) => ({ n, result: { ok: true, value: null, at: until } })),
            )
            break
          // If the invocation is cancelled in Restate, the run receives a `cancel` message.
          case "cancelled":
            reading = null
            return { message: { type: "cancel" }, at: now }
          case "entry":
            entryPromise = null
            inbox.advance()
            if ("message" in input.entry) {
              reading = input.entry.verdict
              return input.entry
            }
            if ("show" in input.entry) sendState(ctx, input.entry.show, run.snapshot())
        }
      }
    },
    accepted() {
      if (reading !== null) reportOutcome(ctx, reading, null)
    },
    refused(message, error) {
      if (reading !== null) reportOutcome(ctx, reading, rejectionOf(error))
      status.refused(message, error)
    },
  }
}
