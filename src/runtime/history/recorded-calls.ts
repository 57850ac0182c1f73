import type { CallFailure, Envelope, ModelAnswer } from "../../machines/contract/services.js"
import type { LeafSource } from "../../machines/registry/leaf-sources.js"
import { isDeadline } from "../../machines/requests/expiry.js"
import type { Clock } from "../driver/host.js"
import { keyOf, withKey } from "../driver/kept-keys.js"
import type { KnownCall } from "./call-key.js"
import { knownCall } from "./call-key.js"
import type { PastCall, PastCalls } from "./past-calls.js"
import { callKindOf } from "./past-calls.js"
import { PendingPauses } from "./pending-pauses.js"
import type { PastChild } from "./recorded-children.js"
import { RecordedChildren } from "./recorded-children.js"
import { RecordedTime } from "./recorded-time.js"
import type { ReuseReport } from "./reuse-report.js"
import { ReuseCounter } from "./reuse-report.js"

/** Function that makes an external call (for example a model call) and returns a stop function. */
type MakeCall = (input: unknown, complete: (result: Envelope) => void) => () => void

/** A recorded result or message. `position` is the index of its record in the recorded journal. */
export interface Delivery {
  readonly position: number
  readonly at: number
  deliver(): void
}

/** Provides recorded messages, such as answers, to another run that reuses the recorded results. */
export interface RecordedMessages {
  /**
   * Returns the next recorded message, or null if there is none. Its journal index is less than
   * `position`, and the run accepts it now. `isBusy` is true while calls are unfinished.
   */
  next(position: number, isBusy: boolean): Delivery | null
}

export interface RecordedCallsParts {
  readonly past: PastCalls
  /** The child runs that the recorded run has started, with their calls. Default: none. */
  readonly children?: readonly PastChild[]
  /** Id of the recorded run. */
  readonly runId: string
  /** Replaces `runId` in idempotency keys, so that services do not deduplicate new calls. */
  readonly keysAs: string
  /** Start time of the recorded run in milliseconds since the epoch. */
  readonly startedAt: number
  /** Clock that measures the duration of new calls. */
  readonly clock: Clock
  /** If true, new model and tool calls are skipped. A skipped call receives no result. */
  readonly isOffline: boolean
}

/**
 * Provides the recorded results of a run for another run, called the new run. A call of the new run
 * receives the recorded result of the call with the same kind, key and request. All other calls are
 * made.
 *
 * Recorded results are delivered in their recorded order and at their recorded times. The clock of
 * the new run stands still unless a call is being made.
 */
export class RecordedCalls {
  /** Clock of the new run. It jumps to the time of each recorded result. */
  readonly clock: Clock
  readonly past: PastCalls
  readonly #time: RecordedTime
  readonly #runId: string
  readonly #keysAs: string
  readonly #isOffline: boolean
  readonly #children: RecordedChildren
  /** Recorded results that are not yet delivered, sorted by descending position in the journal. */
  readonly #pending: Delivery[] = []
  /** Functions that make calls without a recorded result when nothing else can continue the run. */
  readonly #held = new Set<() => void>()
  readonly #pauses: PendingPauses
  readonly #reuse = new ReuseCounter()
  #order = 0
  #messages: RecordedMessages | null = null
  #onIdle: (() => void) | null = null
  #isScheduled = false
  /** True while the new run processes the failure of a call that was made and not reused. */
  #isFailing = false

  constructor({
    past,
    children = [],
    runId,
    keysAs,
    startedAt,
    clock,
    isOffline,
  }: RecordedCallsParts) {
    this.past = past
    this.#children = new RecordedChildren(runId, keysAs, children)
    this.#runId = runId
    this.#keysAs = keysAs
    this.#time = new RecordedTime(startedAt, clock)
    this.clock = this.#time
    this.#pauses = new PendingPauses(this.#time)
    this.#isOffline = isOffline
  }

  /** Starts to deliver messages too. Calls `onIdle` when the run can no longer continue. */
  follow(messages: RecordedMessages, onIdle: () => void): void {
    this.#messages = messages
    this.#onIdle = onIdle
    this.#schedule()
  }

  /**
   * Starts a call of the new run. It completes with its recorded result. If there is none, `make`
   * makes the call. Returns a function that stops the call.
   */
  start(
    src: LeafSource,
    input: unknown,
    complete: (result: Envelope) => void,
    make: MakeCall,
  ): () => void {
    // This model call exceeds a limit or has no instructions, so the model is not called.
    if (src === "callModel" && (input as { readonly refusal?: CallFailure }).refusal !== undefined)
      return make(input, complete)
    const own = knownCall({ n: -1, src, input })
    const child = this.#children.of(input)
    // For a call of a child run, the key starts with the id of the child run.
    const known = child === null ? own : { ...own, key: `${child}/${own.key}` }
    const kind = callKindOf(known)
    const order = this.#order++
    const found = child === null ? this.past.find(own) : this.#children.find(child, own)
    if ("differs" in found) {
      if (known.kind === "pause") return this.#pause(input as { readonly until: number }, complete)
      return this.#diverge(known, kind, order, found.differs, complete, make)
    }
    if (found.result !== null) return this.#deliver(found, kind, known, complete)
    if (known.kind === "pause") return this.#pause(input as { readonly until: number }, complete)
    return this.#hold(() => this.#diverge(known, kind, order, [], complete, make))
  }

  report(): ReuseReport {
    return this.#reuse.report()
  }

  #deliver(
    { result, position }: PastCall,
    kind: "model" | "tool" | null,
    known: KnownCall,
    complete: (result: Envelope) => void,
  ): () => void {
    const recorded = result as Envelope
    const delivery: Delivery = {
      position: position ?? 0,
      at: recorded.at,
      deliver: () => complete({ ...recorded, at: this.#time.now() }),
    }
    this.#reuse.count("reused", known, kind)
    if (known.kind === "model" && recorded.ok) {
      // The cast is safe: the result of a successful model call is a `ModelAnswer`.
      const { usage } = recorded.value as ModelAnswer
      if (usage !== null) this.#reuse.addUsage(usage)
    }
    const index = this.#indexOf(delivery.position)
    this.#pending.splice(index, 0, delivery)
    this.#schedule()
    return () => {
      const now = this.#indexOf(delivery.position)
      if (this.#pending[now] === delivery) this.#pending.splice(now, 1)
      this.#schedule()
    }
  }

  /** Returns the index in `#pending` for a result at a journal position (binary search). */
  #indexOf(position: number): number {
    let [low, high] = [0, this.#pending.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#pending[middle] as Delivery).position > position) low = middle + 1
      else high = middle
    }
    return low
  }

  #diverge(
    known: KnownCall,
    kind: "model" | "tool" | null,
    order: number,
    differs: readonly string[],
    complete: (result: Envelope) => void,
    make: MakeCall,
  ): () => void {
    this.#reuse.diverged(known, kind, order, differs)
    if (kind === null || !this.#isOffline || known.kind === "workflow")
      return this.#make(known, kind, complete, make)
    this.#schedule()
    return this.#reuse.unanswered(known)
  }

  #make(
    known: KnownCall,
    kind: "model" | "tool" | null,
    complete: (result: Envelope) => void,
    make: MakeCall,
  ): () => void {
    // For a child run, the calls inside the child run are counted, not the call of the child run
    // itself. While the child run waits, the calling run can be idle.
    const isChild = known.kind === "workflow"
    if (!isChild) this.#reuse.count("made", known, kind)
    const end = isChild ? () => this.#time.now() : this.#time.startCall()
    const stop = make(this.#inputOf(known), (result) => {
      const at = end()
      this.#isFailing = !result.ok
      complete({ ...result, at })
      this.#isFailing = false
      this.#schedule()
    })
    return () => {
      end()
      stop()
      this.#schedule()
    }
  }

  /** Returns the input of a call. `keysAs` replaces `runId` at the start of its idempotency key. */
  #inputOf({ call: { src, input } }: KnownCall): unknown {
    const key = keyOf({ src, input })
    const prefix = `${this.#runId}/`
    return key?.startsWith(prefix) === true
      ? withKey(input, `${this.#keysAs}/${key.slice(prefix.length)}`)
      : input
  }

  #hold(makeNow: () => () => void): () => void {
    let stop: (() => void) | null = null
    const start = (): void => {
      this.#held.delete(start)
      stop = makeNow()
    }
    this.#held.add(start)
    this.#schedule()
    return () => {
      this.#held.delete(start)
      stop?.()
    }
  }

  /**
   * Starts a pause (a call that only waits) without a recorded end. A retry delay passes in real
   * time. A pause of the workflow is skipped when the run cannot continue otherwise. A deadline
   * also ends when the run reaches a later recorded result or the end of a later pause.
   */
  #pause(input: { readonly until: number }, complete: (result: Envelope) => void): () => void {
    const isRetry = this.#isFailing
    this.#schedule()
    return this.#pauses.add(
      input.until,
      isRetry ? "retry" : isDeadline(input) ? "deadline" : "pause",
      (at) => {
        complete({ ok: true, value: null, at })
        this.#schedule()
      },
    )
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#deliverNext()
    })
  }

  #deliverNext(): void {
    const next = this.#nextDelivery()
    if (next !== null) {
      this.#schedule()
      if (this.#pauses.endFirst(next.at)) return
      this.#time.advance(next.at)
      if (this.#pending.at(-1) === next) this.#pending.pop()
      next.deliver()
      return
    }
    if (this.#time.isRunning) return
    // If the journal is asynchronous, the run may still start calls, so the decision is delayed.
    this.#isScheduled = true
    this.#time.soon(() => {
      this.#isScheduled = false
      if (this.#time.isRunning || this.#nextDelivery() !== null) return this.#schedule()
      const [held] = this.#held
      if (held !== undefined) return held()
      if (this.#pauses.endFirst(Number.POSITIVE_INFINITY)) return this.#schedule()
      this.#onIdle?.()
    })
  }

  #nextDelivery(): Delivery | null {
    const call = this.#pending.at(-1) ?? null
    const position = call?.position ?? Number.POSITIVE_INFINITY
    const isBusy = this.#time.isRunning || call !== null || this.#reuse.hasUnanswered
    return this.#messages?.next(position, isBusy) ?? call
  }
}
