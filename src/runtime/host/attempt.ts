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

/** What is different between the calls of models and of tools. */
export interface CallKind<Request extends ModelRequest | ToolRequest> {
  readonly subject: "agent" | "tool"
  id(request: Request): string
  /** Reads and checks what the service answered at `at`. */
  read(value: unknown, request: Request, at: number, caller: Caller): Envelope
}

/** What the machine of an agent gives a call. */
export type CallInput<Request> = { readonly request: Request } & CallLimits

interface Service<Request> {
  call(request: Request, options: CallOptions): Promise<unknown>
}

const fiveMinutes = 300_000

/**
 * One attempt of a call, ended by the earlier of its own timeout and the deadline of all attempts, also when the service ignores it.
 *
 * It is what the service has as options of the call. What is in it is made when it is read: an `AbortSignal` that nobody reads
 * would cost more than all the rest of the call.
 */
export class Attempt<Request extends ModelRequest | ToolRequest> implements CallOptions {
  declare readonly signal: AbortSignal
  declare readonly live: DeltaStream | undefined
  readonly #kind: CallKind<Request>
  readonly #input: CallInput<Request>
  readonly #caller: Caller
  readonly #answers: DeltaSink | undefined
  readonly #disarm: () => void
  /** Until it is over. */
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
    answers: DeltaSink | undefined,
  ) {
    const { clock, services } = caller
    this.#kind = kind
    this.#input = input
    this.#caller = caller
    this.#complete = complete
    this.#answers = answers
    const now = clock.now()
    const allowed = input.timeoutMs ?? services.defaultTimeoutMs ?? fiveMinutes
    const after = input.deadline === null ? allowed : Math.min(allowed, input.deadline - now)
    // Properties of its own, so that a copy of the options has them; one by one, which takes half as long as both at once.
    Object.defineProperty(this, "signal", Attempt.#ownSignal)
    Object.defineProperty(this, "live", Attempt.#ownLive)
    this.#disarm = clock.wakeAt(now + after, () => this.#timeOut(after, allowed))
  }

  /** Asks the service and returns what stops that; what the service does is never thrown here. */
  ask(service: Service<Request>): () => void {
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

  /** Who waits for the result, once. */
  #end(): ((result: Envelope) => void) | null {
    const complete = this.#complete
    if (complete === null) return null
    this.#complete = null
    this.#disarm()
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
    const answers = this.#answers
    const { request } = this.#input
    if (answers === undefined || !("messages" in request)) return undefined
    return {
      hasSubscribers: () => this.#complete !== null && answers.hasSubscribers(),
      write: (text) => {
        if (this.#complete !== null && text !== "") answers.emit(request, text)
      },
    }
  }
}

export const stopped = (): DOMException => new DOMException("the call was stopped", "AbortError")

/** Who calls whom, for messages. The URL stands as in the config: templates are not filled, so no secret shows. */
export function describeCall<Request extends ModelRequest | ToolRequest>(
  { subject, id }: CallKind<Request>,
  request: Request,
): string {
  const who = `${subject} "${id(request)}"`
  return request.endpoint === null
    ? who
    : `${who}: ${request.endpoint.method} ${request.endpoint.url}`
}

/** What a service threw, as data. Only typed failures say whether another attempt may help. */
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
