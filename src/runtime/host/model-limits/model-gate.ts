import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
import type { CallWait } from "../../../machines/contract/model-event.js"
import type { Clock } from "../../driver/host.js"
import { CallRate } from "./call-rate.js"
import { CircuitBreaker } from "./circuit-breaker.js"
import type { GatedCall, ModelLimit, ModelLimitState } from "./model-limit.js"
import type { Admission, CallUse, SharedLimits } from "./shared-limits.js"
import { WaitingCalls } from "./waiting-calls.js"

interface Entry {
  readonly call: GatedCall
  /**
   * Releases the resources of the call when it is stopped. Stops a running call. For a waiting
   * call, cancels the timer that ends the call at its deadline.
   */
  release: () => void
  /**
   * True if the call tests whether the model is available again. Its result decides whether the
   * circuit breaker allows further calls.
   */
  isProbe: boolean
  /**
   * State of the call. `waiting` means that a limit delays it. `refused` means that it will not
   * start, and completes with an error in a microtask. `over` means that it has ended or was
   * stopped.
   */
  phase: "waiting" | "running" | "refused" | "over"
  /**
   * Reports the end of the call to the `SharedLimits`, which count the calls of several processes.
   * Does nothing without shared limits.
   */
  end: (use: CallUse) => void
}

/** Time in milliseconds after which a waiting call is checked against the shared limits again. */
const askAgainMs = 250

const noUse: CallUse = { tokens: null, pauseMs: null }

/**
 * Manages the running and the waiting calls of one model. A waiting call starts as soon as the
 * limits of the model allow it.
 */
export class ModelGate {
  readonly #model: string
  readonly #limit: ModelLimit
  readonly #shared: SharedLimits | null
  readonly #maxConcurrent: number
  readonly #breaker: CircuitBreaker | null
  readonly #rate: CallRate
  /**
   * Clock for the timers that start waiting calls. It is the clock of the most recently added call.
   * null before the first call.
   */
  #clock: Clock | null = null
  /** Function that cancels the timer for starting waiting calls. */
  #cancelTimer = (): void => {}
  readonly #waiting = new WaitingCalls<Entry>()
  #running = 0
  /**
   * True while a request to the shared limits is open, which decides whether the next call may
   * start.
   */
  #isAsking = false
  /**
   * Waiting calls whose delay is not reported yet. The response of the shared limits will contain
   * the limit that delays them.
   */
  readonly #unreported = new Set<Entry>()

  constructor(model: string, limit: ModelLimit, shared: SharedLimits | null = null) {
    const { maxConcurrent = Infinity, circuitBreaker } = limit
    this.#rate = new CallRate(limit)
    this.#model = model
    this.#limit = limit
    this.#shared = shared
    this.#maxConcurrent = maxConcurrent
    this.#breaker = circuitBreaker === undefined ? null : new CircuitBreaker(circuitBreaker)
  }

  get state(): ModelLimitState {
    const openUntil = this.#breaker?.openUntil ?? null
    return { running: this.#running, waiting: this.#waiting.size, openUntil }
  }

  /**
   * Starts a call as soon as the limits of the model allow it. Returns a function that stops the
   * call.
   */
  enter(call: GatedCall): () => void {
    const entry: Entry = {
      call,
      release: () => {},
      isProbe: false,
      phase: "waiting",
      end: () => {},
    }
    this.#clock = call.clock
    this.#waiting.add(call.runId, entry)
    this.#startWaiting()
    if (entry.phase === "waiting") this.#reportWait(entry, this.#waitOf(call.clock))
    if (entry.phase === "waiting" && call.deadline !== null)
      entry.release = call.clock.wakeAt(call.deadline, () => this.#expire(entry))
    return () => this.#stop(entry)
  }

  #startWaiting(): void {
    this.#cancelTimer()
    while (this.#running < this.#maxConcurrent && this.#waiting.size > 0) {
      if (this.#delay()) return
      if (this.#shared !== null && !this.#isOpen()) return void this.#ask(this.#shared)
      this.#startNext(() => {})
    }
  }

  /**
   * Starts the next waiting call. Calls `end` when the started call ends. If no call is started,
   * calls `end` immediately.
   */
  #startNext(end: (use: CallUse) => void): void {
    const entry = this.#next()
    if (entry === undefined) return end(noUse)
    const decision = this.#breaker?.admits(entry.call.clock.now()) ?? "call"
    if (decision === "refuse") {
      end(noUse)
      this.#refuse(entry)
      return
    }
    entry.end = end
    this.#start(entry, decision === "probe")
  }

  /**
   * Removes the next call from the queue of waiting calls and returns it. Returns undefined if no
   * call waits.
   */
  #next(): Entry | undefined {
    const entry = this.#waiting.take()
    if (entry === undefined) return undefined
    this.#unreported.delete(entry)
    entry.release()
    return entry
  }

  /**
   * Starts the next call if the shared limits (limits for several processes) allow it. Otherwise,
   * checks them again later.
   */
  async #ask(shared: SharedLimits): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      const decision = await shared.admit(this.#model, this.#limit)
      this.#isAsking = false
      if (!decision.isAdmitted) return this.#askAgain(decision)
      this.#startNext((use) => decision.end(use))
    } catch (error) {
      this.#isAsking = false
      this.#failNext(error)
    }
    this.#startWaiting()
  }

  #askAgain({ limit, delayMs }: Extract<Admission, { readonly isAdmitted: false }>): void {
    const clock = this.#clock
    if (clock === null || this.#waiting.size === 0) return
    const until = delayMs === null ? null : clock.now() + delayMs
    for (const entry of this.#unreported) this.#reportWait(entry, { limit, until })
    this.#unreported.clear()
    this.#cancelTimer()
    this.#cancelTimer = clock.wakeAt(until ?? clock.now() + askAgainMs, () => this.#startWaiting())
  }

  #failNext(error: unknown): void {
    const entry = this.#next()
    if (entry === undefined) return
    const reason = error instanceof Error ? error.message : String(error)
    this.#fail(entry, {
      code: "service_unreachable",
      message: `agent "${entry.call.agent}": the model "${this.#model}" was not called, because its shared limits cannot be read: ${reason}`,
      retryable: true,
    })
  }

  /** Returns true if the circuit breaker is open, so that no calls are made. */
  #isOpen(): boolean {
    return (this.#breaker?.openUntil ?? 0) > (this.#clock?.now() ?? 0)
  }

  /**
   * Returns true if the next call must wait because of a rate limit, and sets a timer for the time
   * at which the call may start. Returns false while the circuit breaker is open, because calls
   * then fail immediately and do not wait.
   */
  #delay(): boolean {
    const clock = this.#clock
    if (clock === null) return false
    if (this.#isOpen()) return false
    const now = clock.now()
    const wait = this.#rate.waitAt(now, this.#running)
    if (wait === null) return false
    if (wait.until !== null)
      this.#cancelTimer = clock.wakeAt(wait.until, () => this.#startWaiting())
    return true
  }

  /**
   * Returns the limit that delays a waiting call. Returns null if only the shared limits (limits
   * for several processes) can delay it, because their response is not known yet.
   */
  #waitOf(clock: Clock): CallWait | null {
    const full: CallWait = { limit: "maxConcurrent", until: null }
    if (this.#running >= this.#maxConcurrent) return full
    return this.#rate.waitAt(clock.now(), this.#running) ?? (this.#shared === null ? full : null)
  }

  /**
   * Reports in a microtask which limit delays a waiting call. If `wait` is null, the limit is
   * reported after the response of the shared limits (limits for several processes).
   */
  #reportWait(entry: Entry, wait: CallWait | null): void {
    const { waits } = entry.call
    if (waits === undefined) return
    if (wait === null) return void this.#unreported.add(entry)
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
    entry.end(result === null ? noUse : this.#rate.ended(result))
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
    this.#unreported.delete(entry)
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
    this.#unreported.delete(entry)
    if (this.#waiting.size === 0) this.#cancelTimer()
    this.#fail(entry, {
      code: "service_timeout",
      message: `agent "${entry.call.agent}": the model "${this.#model}" was not called, because it still waited for its turn when scheduleToCloseTimeout expired (limits of the model)`,
      retryable: true,
    })
  }

  /** Completes a call with an error in a microtask, unless the call is stopped before. */
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
