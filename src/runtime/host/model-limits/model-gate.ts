import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
import type { Clock } from "../../driver/host.js"
import { CallRate } from "./call-rate.js"
import { CircuitBreaker } from "./circuit-breaker.js"
import type { GatedCall, ModelLimit, ModelLimitState } from "./model-limit.js"
import { WaitingCalls } from "./waiting-calls.js"

interface Entry {
  readonly call: GatedCall
  /** Stops the attempt, or cancels the timer of a waiting call. */
  release: () => void
  /** Whether the call decides if the circuit breaker allows calls again. */
  isProbe: boolean
  /** `refused`: the call completes with an error in a microtask. */
  phase: "waiting" | "running" | "refused" | "over"
}

/** The calls of one model: those that run, and those that wait for their turn. */
export class ModelGate {
  readonly #model: string
  readonly #maxConcurrent: number
  readonly #breaker: CircuitBreaker | null
  readonly #rate: CallRate
  /** Clock of the last call. */
  #clock: Clock | null = null
  /** Cancels the timer that starts waiting calls. */
  #cancelTimer = (): void => {}
  readonly #waiting = new WaitingCalls<Entry>()
  #running = 0

  constructor(model: string, limit: ModelLimit) {
    const { maxConcurrent = Infinity, circuitBreaker } = limit
    this.#rate = new CallRate(limit)
    this.#model = model
    this.#maxConcurrent = maxConcurrent
    this.#breaker = circuitBreaker === undefined ? null : new CircuitBreaker(circuitBreaker)
  }

  get state(): ModelLimitState {
    const openUntil = this.#breaker?.openUntil ?? null
    return { running: this.#running, waiting: this.#waiting.size, openUntil }
  }

  /** Starts a call as soon as the limits allow it. Returns a function that stops the call. */
  enter(call: GatedCall): () => void {
    const entry: Entry = { call, release: () => {}, isProbe: false, phase: "waiting" }
    this.#clock = call.clock
    this.#waiting.add(call.runId, entry)
    this.#startWaiting()
    if (entry.phase === "waiting") this.#reportWait(entry)
    if (entry.phase === "waiting" && call.deadline !== null)
      entry.release = call.clock.wakeAt(call.deadline, () => this.#expire(entry))
    return () => this.#stop(entry)
  }

  #startWaiting(): void {
    this.#cancelTimer()
    while (this.#running < this.#maxConcurrent && this.#waiting.size > 0) {
      if (this.#delay()) return
      const entry = this.#waiting.take()
      if (entry === undefined) return
      entry.release()
      const decision = this.#breaker?.admits(entry.call.clock.now()) ?? "call"
      if (decision === "refuse") this.#refuse(entry)
      else this.#start(entry, decision === "probe")
    }
  }

  /**
   * Returns whether the next call must wait for its time. Sets a timer for this time. While the
   * circuit breaker is open, calls fail at once and do not wait.
   */
  #delay(): boolean {
    const clock = this.#clock
    if (clock === null) return false
    const now = clock.now()
    if ((this.#breaker?.openUntil ?? 0) > now) return false
    const wait = this.#rate.waitAt(now, this.#running)
    if (wait === null) return false
    if (wait.until !== null)
      this.#cancelTimer = clock.wakeAt(wait.until, () => this.#startWaiting())
    return true
  }

  /** Reports why a call waits, in a microtask. */
  #reportWait(entry: Entry): void {
    const { waits, clock } = entry.call
    if (waits === undefined) return
    const isFull = this.#running >= this.#maxConcurrent
    const timed = isFull ? null : this.#rate.waitAt(clock.now(), this.#running)
    const wait = timed ?? { limit: "maxConcurrent", until: null }
    queueMicrotask(() => {
      if (entry.phase === "waiting") waits(wait)
    })
  }

  #start(entry: Entry, isProbe: boolean): void {
    this.#running++
    this.#rate.started(entry.call.clock.now())
    entry.phase = "running"
    entry.isProbe = isProbe
    entry.release = entry.call.start((result) => {
      if (entry.phase !== "running") return
      this.#leave(entry, result)
      entry.call.complete(result)
      this.#startWaiting()
    })
  }

  #leave(entry: Entry, result: Envelope | null): void {
    entry.phase = "over"
    this.#running--
    this.#breaker?.ended(result, entry.isProbe)
    if (result !== null) this.#rate.ended(result)
  }

  #stop(entry: Entry): void {
    if (entry.phase === "over") return
    entry.release()
    if (entry.phase === "running") {
      this.#leave(entry, null)
      this.#startWaiting()
      return
    }
    this.#waiting.delete(entry.call.runId, entry)
    entry.phase = "over"
    if (this.#waiting.size === 0) this.#cancelTimer()
  }

  #refuse(entry: Entry): void {
    const until = this.#breaker?.openUntil ?? 0
    this.#fail(entry, {
      code: "service_unreachable",
      message: `agent "${entry.call.agent}": the model "${this.#model}" was not called, because its last calls failed; the next call is possible at ${new Date(until).toISOString()} (circuit breaker)`,
      retryable: false,
    })
  }

  #expire(entry: Entry): void {
    if (!this.#waiting.delete(entry.call.runId, entry)) return
    if (this.#waiting.size === 0) this.#cancelTimer()
    this.#fail(entry, {
      code: "service_timeout",
      message: `agent "${entry.call.agent}": the model "${this.#model}" was not called, because it still waited for its turn when scheduleToCloseTimeout expired (limits of the model)`,
      retryable: true,
    })
  }

  /** Completes a call with an error in a microtask, unless it is stopped before. */
  #fail(entry: Entry, error: CallFailure): void {
    const { clock, complete } = entry.call
    entry.phase = "refused"
    entry.release = () => {}
    queueMicrotask(() => {
      if (entry.phase === "over") return
      entry.phase = "over"
      complete({ ok: false, error, at: clock.now() })
    })
  }
}
