import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import { describeCalls } from "./describe-calls.js"
import { tooLarge } from "./message-size.js"

/** What a call has come to. */
export interface Arrival {
  readonly n: number
  readonly result: Envelope
}

/**
 * The calls of a run that are open. They are made in one attempt of Restate's to carry the run, and only once that attempt has
 * come to where the run stands: until then what they came to lies in Restate.
 */
export interface OpenCalls {
  /** Opens a call and returns what stops it. */
  begin(call: LeafCall): () => void
  /** Whether a call is open. */
  has(n: number): boolean
  /** A call is open no longer: what it came to has been given to the run. */
  close(n: number): void
  areThere(): boolean
  /** What is asked for, for people who look at a journal. */
  describe(): string
  /** Makes the calls and settles with what has come in, as JSON of `Arrival[]`: at least one where calls are open and one ends. */
  perform(): Promise<string>
  /** Lets go of all calls, as the attempt is over: what is performed then settles no more. */
  abort(): void
}

/** A batch grows no further than this: it is one message to Restate. */
const batchBytes = 1024 * 1024

export function openCalls(performer: Pick<CallPerformer, "perform" | "now">): OpenCalls {
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
    areThere: () => open.size > 0,
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

/** Whatever a service gave, what is kept of it is JSON that fits into a message; otherwise the call has failed. */
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
