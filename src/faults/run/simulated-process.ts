import { setImmediate, setTimeout } from "node:timers/promises"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallLimits } from "../../machines/model-call/retry-policy.js"
import type { Clock, Host, LeafCall } from "../../runtime/driver/host.js"
import { defaultTimeLimitMs } from "../../runtime/host/attempt.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import { localHosts } from "../../runtime/host/local-host.js"
import { performMachine } from "../../runtime/host/user-machine/perform-machine.js"
import { type AnswerFault, answerFaults, type FaultKind } from "../contract/fault.js"
import { type CallLog, keyIn, type ServiceAttempt } from "../environment/call-log.js"
import type {
  RegisteredServices,
  ServiceCaller,
  ServiceRequest,
} from "../environment/simulated-services.js"
import { runsOwnCode } from "../environment/runs-own-code.js"
import { SimulatedClock } from "../environment/simulated-clock.js"
import type { UnsteadyRead } from "../environment/watched-function.js"
import type { AnswersOfRun } from "../environment/scripted-answers.js"

/** The simulated run to which a process belongs. Contains the members that the process uses. */
export interface ProcessOwner {
  readonly log: CallLog
  readonly answers: AnswersOfRun
  readonly isShifted: boolean
  /** Records an attempt of a call. Returns the fault to inject into the attempt, or null. */
  attempted(attempt: ServiceAttempt): FaultKind | null
  read(read: UnsteadyRead): void
  exhausted(message: string): void
}

/**
 * Maximum real time that the code of a run may take, in milliseconds. After this time, the run is
 * reported as stuck.
 */
const realTimeLimitMs = 10_000

/**
 * One simulated process that executes a run, with its own clock and calls in flight. After a kill,
 * the run no longer receives the results of these calls.
 */
export class SimulatedProcess implements ServiceCaller {
  readonly clock: SimulatedClock
  readonly #owner: ProcessOwner
  #isDead = false
  /** Number of simulated services that are computing a response. */
  #computing = 0
  /** Number of calls to host functions in flight. */
  #functions = 0
  /** Number of ready responses to host functions that wait for their simulated delivery time. */
  #parked = 0
  /** Returns whether call `n` is skipped, because a copied journal record contains its result. */
  #isKnown: (n: number) => boolean = () => false
  /** Whether the run has made calls since `settle` was last called. */
  #hasNewCalls = false
  #hasRunOwnCode = false
  /** The kinds (`src`) of the calls in flight, by call number. */
  readonly #inFlight = new Map<number, LeafCall["src"]>()
  readonly #open = new Set<HostContext>()
  readonly #deadlines = new Map<string, number>()

  /** Milliseconds by which a fault has set the clock ahead. Negative if the clock was set back. */
  readonly #ahead: number

  constructor(owner: ProcessOwner, time: number, ahead = 0) {
    this.#owner = owner
    this.#ahead = ahead
    this.clock = new SimulatedClock(time + ahead)
  }

  /** Simulated time without the clock change by a fault, in milliseconds since the epoch. */
  get time(): number {
    return this.clock.now() - this.#ahead
  }

  get isDead(): boolean {
    return this.#isDead
  }

  get isShifted(): boolean {
    return this.#owner.isShifted
  }

  kill(): void {
    this.#isDead = true
  }

  /**
   * Whether effects exist that a checkpoint does not contain. This is the case if the program's own
   * code has run or services are still computing a response.
   */
  get hasSideEffects(): boolean {
    return this.#hasRunOwnCode || this.#computing > 0
  }

  /** Skips the calls for which `isKnown` returns true, because their results are already known. */
  skipCalls(isKnown: (n: number) => boolean): void {
    this.#isKnown = isKnown
  }

  /**
   * Returns the host that executes the calls of the run. The clock of the host never shows a time
   * before `since`. `registered` contains the services that the program registers.
   */
  host(services: CallServices, since: number, registered: RegisteredServices): Host {
    const clock: Clock = {
      now: () => this.clock.now(),
      wakeAt: (time, wake) =>
        this.clock.wakeAt(time, () => {
          if (!this.#isDead) wake()
        }),
    }
    const host = localHosts(services, clock, performMachine)(since)
    return {
      now: () => host.now(),
      release: (runId) => host.release?.(runId),
      start: (call, complete, live) => {
        if (this.#isDead) return () => {}
        this.#owner.log.started(call)
        if (this.#isKnown(call.n)) return () => {}
        this.#hasNewCalls = true
        this.#hasRunOwnCode ||= runsOwnCode(call, registered)
        this.#noteDeadline(call, services)
        this.#inFlight.set(call.n, call.src)
        const isFunction = call.src === "callHost"
        if (isFunction) this.#functions++
        const end = (): void => {
          if (this.#inFlight.delete(call.n) && isFunction) this.#functions--
        }
        const stop = host.start(
          call,
          (result) => {
            if (this.#isDead) return
            end()
            complete(result)
          },
          live,
        )
        return () => {
          end()
          stop()
        }
      },
    }
  }

  /** Waits until no service or host function is running. Returns false if this takes too long. */
  async settle(): Promise<boolean> {
    this.#hasNewCalls = false
    await setImmediate()
    if (!this.#isBusy()) return true
    const since = performance.now()
    for (let turns = 0; this.#isBusy(); turns++) {
      if (turns < 100) await setImmediate()
      else await setTimeout(1)
      if (performance.now() - since > realTimeLimitMs) return false
    }
    return true
  }

  /** Waits until no service or host function is running, if the run has made new calls. */
  async settleNewCalls(): Promise<void> {
    if (this.#hasNewCalls) await this.settle()
  }

  /** Adds a promise to the work for which `settle` waits. Returns the promise. */
  track(work: Promise<void>): Promise<void> {
    this.#computing++
    return work.finally(() => this.#computing--)
  }

  #isBusy(): boolean {
    return !this.#isDead && this.#computing + this.#functions - this.#parked > 0
  }

  /**
   * Returns texts that describe the timers and calls that are still active, although the run has
   * ended or waits for a person.
   */
  activeWork({ hasEnded }: { readonly hasEnded: boolean }): readonly string[] {
    const calls = [...this.#inFlight]
      .filter(([, src]) => hasEnded || src !== "sleepUntil")
      .map(([n, src]) => `the call ${n} (${src})`)
    const functions = [...this.#open]
      .filter(({ signal }) => hasEnded && !signal.aborted)
      .map(({ path }) => `a host function of ${path}`)
    const timers = hasEnded ? this.clock.timersOfRun : 0
    return [...calls, ...functions, ...(timers === 0 ? [] : [`${timers} timers`])]
  }

  request({ attempt, options, isInFunction, perform }: ServiceRequest): Promise<unknown> {
    if (this.#isDead) return new Promise(() => {})
    const order = this.clock.nextOrder()
    const made = attempt === null ? null : { ...attempt, time: this.time }
    const fault = made === null ? null : this.#owner.attempted(made)
    const since = (made === null ? this.time : this.#owner.log.firstAsked(made)) + this.#ahead
    const deadline =
      (made === null ? undefined : this.#deadlines.get(`${made.key} ${made.attempt}`)) ??
      this.clock.now() + defaultTimeLimitMs
    this.#computing++
    const work = perform(isAnswerFault(fault) ? fault : null, this.#owner.answers)
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        this.#computing--
        if (this.#isDead || (fault === "timeout" && !isInFunction)) return
        const isLost = fault === "timeout"
        const due = isLost
          ? deadline
          : fault === "late"
            ? Math.max(this.clock.now(), deadline - 1)
            : Math.max(this.clock.now(), since + work.delayMs())
        const end = isLost ? () => reject(timedOut(deadline)) : finish
        this.#park(due, order, isInFunction ? options.signal : null, end, reject)
      }
      work.answer.then(
        (value) => settle(() => resolve(value)),
        (cause: unknown) => settle(() => reject(cause)),
      )
    })
  }

  /**
   * Delivers a response at the simulated time `due`. If `signal` is aborted earlier, the call is
   * rejected. null means that the call has no signal.
   */
  #park(
    due: number,
    order: number,
    signal: AbortSignal | null,
    end: () => void,
    reject: (reason: Error) => void,
  ): void {
    if (signal === null) {
      this.clock.wakeService(due, order, () => {
        if (!this.#isDead) end()
      })
      return
    }
    let isParked = true
    this.#parked++
    const finish = (then: () => void): void => {
      if (!isParked || this.#isDead) return
      isParked = false
      this.#parked--
      then()
    }
    signal.addEventListener("abort", () => finish(() => reject(signal.reason as Error)))
    this.clock.wakeService(due, order, () => finish(end))
  }

  /**
   * Stores the deadline of an attempt, which is the time of a simulated timeout. The request to the
   * service does not contain this deadline.
   */
  #noteDeadline({ src, input }: LeafCall, services: CallServices): void {
    if (src === "callHost" || src === "sleepUntil") return
    // The casts are safe: these calls have a request and limits.
    const { timeoutMs, deadline } = input as CallLimits
    const { request } = input as { readonly request: Parameters<typeof keyIn>[0] }
    const own = this.clock.now() + (timeoutMs ?? services.defaultTimeoutMs ?? defaultTimeLimitMs)
    this.#deadlines.set(
      `${keyIn(request)} ${request.attempt}`,
      deadline === null ? own : Math.min(own, deadline),
    )
  }

  exhausted(message: string): void {
    this.#owner.exhausted(message)
  }

  started(service: string, key: string, context: HostContext): void {
    if (this.#isDead) return
    this.#open.add(context)
    this.#owner.log.functionStarted(service, key)
  }

  ended(context: HostContext): void {
    this.#open.delete(context)
  }

  read(read: UnsteadyRead): void {
    if (!this.#isDead) this.#owner.read(read)
  }
}

const isAnswerFault = (kind: FaultKind | null): kind is AnswerFault =>
  answerFaults.some((answerFault) => answerFault === kind)

const timedOut = (deadline: number): CallFailedError =>
  new CallFailedError({
    code: "service_timeout",
    message: `the service did not respond by ${new Date(deadline).toISOString()}`,
    retryable: true,
  })
