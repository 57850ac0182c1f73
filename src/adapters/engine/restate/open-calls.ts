import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import { describeCalls } from "./describe-calls.js"
import { tooLarge } from "./message-size.js"

/** The number `n` and the result of a call that has ended. */
export interface FinishedCall {
  readonly n: number
  readonly result: Envelope
}

/**
 * The calls of a run that have started but not ended. Each attempt of Restate to execute the run's
 * workflow has its own calls. The attempt first replays the stored results and then executes the
 * remaining calls.
 */
export interface RestateCalls {
  /** Registers a call. The next `perform` executes it. Returns a function that aborts the call. */
  begin(call: LeafCall): () => void
  /** Returns whether the call with the number `n` is in flight. */
  has(n: number): boolean
  /** Removes the call with the number `n` after its result was passed to the run. */
  close(n: number): void
  hasOpenCalls(): boolean
  /**
   * Returns a description of the calls in flight, for example `model line/writer#0`. It is shown in
   * the Restate journal.
   */
  describe(): string
  /**
   * Executes the registered calls and waits for at least one result. Resolves to the JSON of a
   * `FinishedCall[]` with the results that have arrived. The array is empty only if no call is in
   * flight.
   */
  perform(): Promise<string>
  /**
   * Aborts all calls. Call this when the attempt of the workflow has ended. The promise of a
   * running `perform` never settles.
   */
  abort(): void
}

/** Maximum total size in bytes of the results that are stored together in one Restate message. */
const batchBytes = 1024 * 1024

export function restateCalls(performer: Pick<CallPerformer, "perform" | "now">): RestateCalls {
  const open = new Map<number, { readonly call: LeafCall; readonly controller: AbortController }>()
  const arrived: { readonly n: number; readonly json: string }[] = []
  let fresh: LeafCall[] = []
  let isLive = false
  let wake = (): void => {}

  const start = ({
    call,
    controller,
  }: {
    readonly call: LeafCall
    readonly controller: AbortController
  }): void => {
    void performer.perform(call, controller.signal).then((result) => {
      if (result === null) return
      arrived.push({ n: call.n, json: jsonOf(call, result, performer.now()) })
      wake()
    })
  }

  return {
    begin(call) {
      const opened = { call, controller: new AbortController() }
      open.set(call.n, opened)
      if (isLive) start(opened)
      else fresh.push(call)
      return () => {
        if (open.get(call.n) !== opened) return
        open.delete(call.n)
        opened.controller.abort()
        wake()
      }
    },
    has: (n) => open.has(n),
    close: (n) => void open.delete(n),
    hasOpenCalls: () => open.size > 0,
    describe: () => describeCalls(open.values(), open.size),
    async perform() {
      isLive = true
      const waiting = fresh
      fresh = []
      for (const { n } of waiting) {
        const opened = open.get(n)
        if (opened !== undefined) start(opened)
      }
      while (arrived.length === 0 && open.size > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      let [count, bytes] = [0, 0]
      for (; count < arrived.length && bytes < batchBytes; count++)
        bytes += arrived[count]?.json.length ?? 0
      return `[${arrived
        .splice(0, count)
        .map(({ json }) => json)
        .join(",")}]`
    },
    abort() {
      for (const { controller } of open.values()) controller.abort()
    },
  }
}

/**
 * Returns the number and the result of a call as JSON text. If the result cannot be stored as JSON
 * or is too large, returns the JSON text of a failed result.
 */
function jsonOf({ n, src }: LeafCall, result: Envelope, at: number): string {
  const failed = (error: CallFailure): string =>
    JSON.stringify({ n, result: { ok: false, error, at } })
  try {
    const json = JSON.stringify({
      n,
      result: result.ok && result.value === undefined ? { ...result, value: null } : result,
    })
    const why = tooLarge(json)
    return why === null
      ? json
      : failed({ code: "response_too_large", message: `the result ${why}`, retryable: false })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return failed({
      code: src === "callModel" ? "model_call_failed" : "tool_call_failed",
      message: `the result cannot be stored because it is not JSON: ${why}`,
      retryable: false,
    })
  }
}
