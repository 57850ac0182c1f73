import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { CallLimits } from "../../machines/model-call/call-limits.js"
import type {
  CallFailure,
  CallOptions,
  Envelope,
  DeltaStream,
  ModelRequest,
  ToolRequest,
} from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { DeltaSink } from "../driver/host.js"
import type { Caller } from "./call-services.js"

/** The differences between calls of models and calls of tools. */
export interface CallKind<Request extends ModelRequest | ToolRequest> {
  readonly subject: "agent" | "tool"
  id(request: Request): string
  /**
   * Checks the response of the service, which arrived at `time`, and returns the result of the
   * call.
   */
  read(value: unknown, request: Request, time: number, caller: Caller): Envelope
}

/** The input of a model call or tool call. */
export type CallInput<Request> = { readonly request: Request } & CallLimits

interface Service<Request> {
  call(request: Request, options: CallOptions): Promise<unknown>
}

const fiveMinutes = 300_000

/**
 * One attempt of a call. It ends at the earlier of its own timeout and the deadline of all
 * attempts, even if the service ignores the signal.
 *
 * The service receives this object as the options of the call. `signal` and `live` are created when
 * they are read, because an `AbortSignal` costs more than the rest of the call.
 */
export class Attempt<Request extends ModelRequest | ToolRequest> implements CallOptions {
  declare readonly signal: AbortSignal
  declare readonly live: DeltaStream | undefined
  readonly #kind: CallKind<Request>
  readonly #input: CallInput<Request>
  readonly #caller: Caller
  readonly #deltas: DeltaSink | undefined
  readonly #cancelTimeout: () => void
  /** Receives the result; null after the attempt has ended. */
  #complete: ((result: Envelope) => void) | null
  #controller: AbortController | null = null
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
    const allowed = input.timeoutMs ?? services.defaultTimeoutMs ?? fiveMinutes
    const after = input.deadline === null ? allowed : Math.min(allowed, input.deadline - now)
    // Own properties, so that `{ ...options }` copies them. Two calls are faster than one
    // `defineProperties`.
    Object.defineProperty(this, "signal", Attempt.#ownSignal)
    Object.defineProperty(this, "live", Attempt.#ownLive)
    this.#cancelTimeout = clock.wakeAt(now + after, () => this.#timeOut(after, allowed))
  }

  /** Calls the service and returns a function that stops the attempt. Never throws. */
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
      if (this.#end() !== null) this.#abort(stopped())
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
    const complete = this.#end()
    if (complete === null) return
    const ownLimit =
      this.#input.timeoutMs === null ? "the default time limit" : "startToCloseTimeout"
    const which = after < allowed ? "scheduleToCloseTimeout (the time for all attempts)" : ownLimit
    const { request } = this.#input
    const message = `${describeCall(this.#kind, request)} did not respond in time (attempt ${request.attempt}): ${which} expired after ${after} ms`
    this.#abort(new AgentStatechartsError("service_timeout", message))
    complete({
      ok: false,
      error: { code: "service_timeout", message, retryable: true },
      at: this.#caller.clock.now(),
    })
  }

  /**
   * Ends the attempt. Returns the function that receives the result, or null if the attempt had
   * ended.
   */
  #end(): ((result: Envelope) => void) | null {
    const complete = this.#complete
    if (complete === null) return null
    this.#complete = null
    this.#cancelTimeout()
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

  /** The response stream for the service. Text after a stop or timeout is dropped. */
  #deltaStream(): DeltaStream | undefined {
    const deltas = this.#deltas
    const { request } = this.#input
    if (deltas === undefined || !("messages" in request)) return undefined
    return {
      hasSubscribers: () => this.#complete !== null && deltas.hasSubscribers(),
      write: (text) => {
        if (this.#complete !== null && text !== "") deltas.emit(request, text)
      },
    }
  }
}

export const stopped = (): DOMException => new DOMException("the call was stopped", "AbortError")

/**
 * Describes a call for messages. The URL is unchanged from the config, so it contains no secrets.
 */
export function describeCall<Request extends ModelRequest | ToolRequest>(
  { subject, id }: CallKind<Request>,
  request: Request,
): string {
  const caller = `${subject} "${id(request)}"`
  return request.endpoint === null
    ? caller
    : `${caller}: ${request.endpoint.method} ${request.endpoint.url}`
}

/** Converts an error of a service to a failure. Only a `CallFailedError` can be retryable. */
function failureOf(cause: unknown, subject: "agent" | "tool"): CallFailure {
  if (cause instanceof CallFailedError) return cause.failure
  if (cause instanceof AgentStatechartsError)
    return { code: cause.code, message: cause.message, retryable: false }
  return {
    code: subject === "agent" ? "model_call_failed" : "tool_call_failed",
    message: `the service threw: ${wordsOf(cause)}`,
    retryable: false,
  }
}
