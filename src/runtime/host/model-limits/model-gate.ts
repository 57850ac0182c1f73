import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
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

/** The calls of one model: those that run, and those that wait for a free place. */
export class ModelGate {
  readonly #model: string
  readonly #maxConcurrent: number
  readonly #breaker: CircuitBreaker | null
  readonly #waiting = new WaitingCalls<Entry>()
  #running = 0

  constructor(model: string, { maxConcurrent = Infinity, circuitBreaker }: ModelLimit) {
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
    this.#waiting.add(call.runId, entry)
    this.#startWaiting()
    if (entry.phase === "waiting" && call.deadline !== null)
      entry.release = call.clock.wakeAt(call.deadline, () => this.#expire(entry))
    return () => this.#stop(entry)
  }

  #startWaiting(): void {
    while (this.#running < this.#maxConcurrent) {
      const entry = this.#waiting.take()
      if (entry === undefined) return
      entry.release()
      const decision = this.#breaker?.admits(entry.call.clock.now()) ?? "call"
      if (decision === "refuse") this.#refuse(entry)
      else this.#start(entry, decision === "probe")
    }
  }

  #start(entry: Entry, isProbe: boolean): void {
    this.#running++
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
    this.#fail(entry, {
      code: "service_timeout",
      message: `agent "${entry.call.agent}": the model "${this.#model}" was not called, because other calls of this model were still running when scheduleToCloseTimeout expired`,
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
