import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type { CallLimits } from "../../machines/model-call/retry-policy.js"
import type {
  CallFailure,
  CallOptions,
  Envelope,
  ModelRequest,
  ToolRequest,
} from "../../machines/contract/services.js"
import { attemptText } from "../../machines/data/attempt-text.js"
import type { NodeRequest } from "../../machines/contract/graphs/node-service.js"
import type { DeltaStream } from "../../machines/contract/delta-stream.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { DeltaSink } from "../driver/host.js"
import type { Caller } from "./call-services.js"

type AnyRequest = ModelRequest | ToolRequest | NodeRequest

type Subject = "agent" | "tool" | "node"

/**
 * The parts of a call that differ between models, tools and graph nodes. `subject` and `id` form
 * the name that error messages show, such as `agent "writer"`. `read` validates the response.
 */
export interface CallKind<Request extends AnyRequest> {
  readonly subject: Subject
  id(request: Request): string
  /**
   * Validates the response of the service and returns the result of the call. `time` is the arrival
   * time of the response in milliseconds since the epoch.
   */
  read(value: unknown, request: Request, time: number, caller: Caller): Envelope
}

/**
 * Input of a model, tool or graph node call: the request, the timeout of one attempt and the
 * deadline of all attempts.
 */
export type CallInput<Request> = { readonly request: Request } & CallLimits

interface Service<Request> {
  call(request: Request, options: CallOptions): Promise<unknown>
}

/**
 * Timeout of one attempt in milliseconds (five minutes), for calls without a timeout in the config
 * or in the options of the runner.
 */
export const defaultTimeLimitMs = 300_000

/**
 * One attempt of a model, tool or graph node call. The attempt ends when its timeout or the
 * deadline of all attempts expires, even if the service ignores the abort signal.
 *
 * The service receives this object as its call options. `signal` and `live` are created when they
 * are first read, because creating an `AbortSignal` costs more than the rest of the call.
 */
export class Attempt<Request extends AnyRequest> implements CallOptions {
  declare readonly signal: AbortSignal
  declare readonly live: DeltaStream | undefined
  readonly #kind: CallKind<Request>
  readonly #input: CallInput<Request>
  readonly #caller: Caller
  readonly #deltas: DeltaSink | undefined
  readonly #cancelTimeout: () => void
  /** Callback for the result of the attempt. null after the attempt has ended. */
  #complete: ((result: Envelope) => void) | null
  #controller: AbortController | null = null
  /**
   * Function that cancels the idle timeout (the maximum time between two parts of a response). null
   * before the first part arrives.
   */
  #cancelIdle: (() => void) | null = null
  #lastPartAt = 0
  #aborted: { readonly reason: unknown } | null = null

  static readonly #ownSignal: PropertyDescriptor = {
    enumerable: true,
    get(this: Attempt<never>) {
      return this.#signal()
    },
  }

  static readonly #ownLive: PropertyDescriptor = {
    enumerable: true,
    get(this: Attempt<never>) {
      return this.#deltaStream()
    },
  }

  constructor(
    kind: CallKind<Request>,
    input: CallInput<Request>,
    caller: Caller,
    complete: (result: Envelope) => void,
    deltas: DeltaSink | undefined,
  ) {
    const { clock, services } = caller
    this.#kind = kind
    this.#input = input
    this.#caller = caller
    this.#complete = complete
    this.#deltas = deltas
    const now = clock.now()
    const allowed = input.timeoutMs ?? services.defaultTimeoutMs ?? defaultTimeLimitMs
    const after = input.deadline === null ? allowed : Math.min(allowed, input.deadline - now)
    // `signal` and `live` must be own properties, so that `{ ...options }` copies them. Two calls
    // of `defineProperty` are faster than one call of `defineProperties`.
    Object.defineProperty(this, "signal", Attempt.#ownSignal)
    Object.defineProperty(this, "live", Attempt.#ownLive)
    this.#cancelTimeout = clock.wakeAt(now + after, () => this.#timeOut(after, allowed))
  }

  /**
   * Calls the service and returns a function that aborts the attempt. Never throws. If the service
   * throws, the attempt has a failed result.
   */
  start(service: Service<Request>): () => void {
    try {
      Promise.resolve(service.call(this.#input.request, this)).then(
        (value) => this.#succeed(value),
        (cause: unknown) => this.#fail(cause),
      )
    } catch (cause) {
      queueMicrotask(() => this.#fail(cause))
    }
    return () => {
      if (this.#end() !== null) this.#abort(callStopped())
    }
  }

  #succeed(value: unknown): void {
    const complete = this.#end()
    if (complete === null) return
    complete(this.#kind.read(value, this.#input.request, this.#caller.clock.now(), this.#caller))
  }

  #fail(cause: unknown): void {
    this.#end()?.({
      ok: false,
      error: failureOf(cause, this.#kind.subject),
      at: this.#caller.clock.now(),
    })
  }

  #timeOut(after: number, allowed: number): void {
    const ownLimit =
      this.#input.timeoutMs === null ? "the default time limit" : "startToCloseTimeout"
    const which = after < allowed ? "scheduleToCloseTimeout (the time for all attempts)" : ownLimit
    const { request } = this.#input
    const message = `${describeCall(this.#kind, request)} did not respond in time (${attemptText(request)}): ${which} expired after ${after} ms`
    this.#expire(message)
  }

  /**
   * Ends the attempt with the error `service_timeout`, and aborts the signal that the service has
   * received.
   */
  #expire(message: string): void {
    const complete = this.#end()
    if (complete === null) return
    this.#abort(new AgentStatechartsError("service_timeout", message))
    complete({
      ok: false,
      error: { code: "service_timeout", message, retryable: true },
      at: this.#caller.clock.now(),
    })
  }

  /**
   * Ends the attempt and cancels its timeouts. Returns the callback for the result, or null if the
   * attempt has already ended.
   */
  #end(): ((result: Envelope) => void) | null {
    const complete = this.#complete
    if (complete === null) return null
    this.#complete = null
    this.#cancelTimeout()
    this.#cancelIdle?.()
    return complete
  }

  #abort(reason: unknown): void {
    this.#aborted = { reason }
    this.#controller?.abort(reason)
  }

  #signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#aborted !== null) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  /**
   * Returns the stream to which the service writes generated text. Returns undefined if the call
   * cannot stream. Text that arrives after the end of the attempt is discarded.
   */
  #deltaStream(): DeltaStream | undefined {
    const deltas = this.#deltas
    const { request, idleMs } = this.#input
    if (!("messages" in request) || (deltas === undefined && idleMs === undefined)) return undefined
    const keepAlive = (): void => {
      if (idleMs !== undefined && this.#complete !== null) this.#keepAlive(idleMs)
    }
    return {
      hasSubscribers: () =>
        this.#complete !== null && (idleMs !== undefined || deltas?.hasSubscribers() === true),
      write: (text) => {
        keepAlive()
        if (this.#complete !== null && text !== "") deltas?.emit(request, text)
      },
      keepAlive,
    }
  }

  /**
   * Restarts the idle timeout (the maximum time between two parts of a response). To save work, the
   * timer is not replaced for each part. When it fires, it checks the arrival time of the last
   * part.
   */
  #keepAlive(idleMs: number): void {
    const { clock } = this.#caller
    this.#lastPartAt = clock.now()
    if (this.#cancelIdle !== null) return
    const check = (): void => {
      const due = this.#lastPartAt + idleMs
      if (clock.now() >= due) this.#stall(idleMs)
      else this.#cancelIdle = clock.wakeAt(due, check)
    }
    this.#cancelIdle = clock.wakeAt(this.#lastPartAt + idleMs, check)
  }

  #stall(idleMs: number): void {
    const { request } = this.#input
    this.#expire(
      `${describeCall(this.#kind, request)} stopped sending its response (${attemptText(request)}): idleTimeout expired after ${idleMs} ms`,
    )
  }
}

export const callStopped = (): DOMException =>
  new DOMException("the call was stopped", "AbortError")

/**
 * Returns a description of a call for error messages, for example `agent "writer": POST
 * https://...`. It contains the URL as written in the config, so it never contains the value of a
 * secret.
 */
export function describeCall<Request extends AnyRequest>(
  { subject, id }: CallKind<Request>,
  request: Request,
): string {
  const caller = `${subject} "${id(request)}"`
  return request.endpoint === null
    ? caller
    : `${caller}: ${request.endpoint.method} ${request.endpoint.url}`
}

const codes = {
  agent: "model_call_failed",
  tool: "tool_call_failed",
  node: "node_failed",
} as const

/**
 * Converts an error that a service threw to a `CallFailure`. Only a `CallFailedError` can be
 * retryable.
 */
function failureOf(cause: unknown, subject: Subject): CallFailure {
  if (cause instanceof CallFailedError) return cause.failure
  if (cause instanceof AgentStatechartsError)
    return { code: cause.code, message: cause.message, retryable: false }
  return {
    code: codes[subject],
    message: `the service threw an error: ${thrownMessage(cause)}`,
    retryable: false,
  }
}
