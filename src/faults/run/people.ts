import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/** An entry of the script that waits until a request has expired. */
export interface AwaitedExpiry {
  readonly type: "expire"
  /** Time at which the request expires, in milliseconds since the epoch. */
  readonly until: number
}

/** An answer of the script. */
export interface ScriptedAnswer {
  /**
   * Returns the message that delivers this answer to the run, or the expiry to wait for. @throws
   * Error if the answer does not fit a pending request
   */
  message(run: RunControls): RunMessage | AwaitedExpiry
  /** Whether an idle run accepts the answer between two invocations. */
  readonly isForIdleRun: boolean
  /** Whether the answer is a user message that names no request. */
  readonly namesNoRequest: boolean
}

/** An answer that a person has sent. */
export interface GivenAnswer {
  /** Index of the answer in the script. */
  readonly index: number
  readonly message: RunMessage
  /** The answered request; null for a message to an idle run. */
  readonly request: PendingRequest | null
  /** Number of records before the answer. */
  readonly record: number
}

/** An entry of the script that has waited until a request expires. */
export interface AwaitedAnswer {
  readonly index: number
  readonly until: number
  /** Number of records when the run was idle. */
  readonly record: number
}

/** The people of one run. They send the answers of the script, one each time the run is idle. */
export class People {
  readonly given: GivenAnswer[] = []
  readonly awaited: AwaitedAnswer[] = []
  /**
   * Time until which no answer is sent, so that a request expires. null: answers are sent
   * immediately.
   */
  silentUntil: number | null = null
  readonly #script: readonly ScriptedAnswer[]
  /** The request that each answer was given to in the fault-free run; null in that run itself. */
  readonly #bound: ReadonlyMap<string, number> | null
  readonly #used = new Set<number>()

  constructor(script: readonly ScriptedAnswer[], before: readonly GivenAnswer[] | null) {
    this.#script = script
    this.#bound =
      before === null
        ? null
        : new Map(before.map(({ index, request }) => [request?.id ?? idle, index] as const))
  }

  /**
   * Returns the next answer, or null if there is none for the run.
   *
   * @throws Error in the fault-free run, if the next answer does not fit a pending request
   */
  next(run: RunControls, isIdle: boolean, record: number): GivenAnswer | AwaitedExpiry | null {
    for (const index of this.#candidates(run, isIdle)) {
      const answer = this.#script[index]
      if (answer === undefined || (isIdle && !answer.isForIdleRun)) return null
      const message = this.#bound === null ? answer.message(run) : fitting(answer, run)
      if (message === null) continue
      if (message.type === "expire") {
        this.wait({ index, until: message.until, record })
        return message
      }
      return { index, message, request: requestOf(message, run.pending()), record }
    }
    return null
  }

  /** The indexes of unused answers, those first that the fault-free run gave to these requests. */
  #candidates(run: RunControls, isIdle: boolean): readonly number[] {
    const unused = this.#script.map((_, index) => index).filter((index) => !this.#used.has(index))
    if (this.#bound === null) return unused.slice(0, 1)
    const ids = isIdle ? [idle] : run.pending().map(({ id }) => id)
    const own = ids.flatMap((id) => this.#bound?.get(id) ?? []).filter((n) => unused.includes(n))
    return [...own.sort((one, other) => one - other), ...unused]
  }

  /** Marks an answer as used. */
  use(answer: GivenAnswer): void {
    this.#used.add(answer.index)
    this.given.push(answer)
  }

  /** Marks an entry as used that waits for an expiry. */
  wait(awaited: AwaitedAnswer): void {
    this.#used.add(awaited.index)
    this.awaited.push(awaited)
    this.silentUntil = awaited.until
  }

  /** Marks the last answer as unused, because it was not stored. */
  takeBack(): void {
    const last = this.given.pop()
    if (last !== undefined) this.#used.delete(last.index)
  }

  /** Marks an answer as used without sending it. */
  withhold({ index }: GivenAnswer): void {
    this.#used.add(index)
  }

  /** The message that gives an answer again, as the person would. */
  again({ index, message }: GivenAnswer): RunMessage {
    return message.type === "say" && this.#script[index]?.namesNoRequest === true
      ? { type: "say", content: message.content }
      : message
  }
}

/** Key of messages to an idle run, which answer no request. */
const idle = ""

function fitting(
  answer: ScriptedAnswer,
  run: RunControls,
): ReturnType<ScriptedAnswer["message"]> | null {
  try {
    return answer.message(run)
  } catch (error) {
    // The answer belongs to a request that this run does not make.
    if (error instanceof Error) return null
    throw error
  }
}

function requestOf(message: RunMessage, pending: readonly PendingRequest[]): PendingRequest | null {
  const id =
    message.type === "deliver"
      ? message.callId
      : message.type === "say"
        ? message.request
        : message.type === "end" || message.type === "cancel"
          ? undefined
          : message.id
  return (
    pending.find(
      (request) =>
        request.id === id ||
        (message.type === "deliver" && request.toolCalls?.some((call) => call.id === id) === true),
    ) ?? null
  )
}

/** Returns a different answer to the same request. */
export function otherAnswer({ message, request }: GivenAnswer): RunMessage {
  switch (message.type) {
    case "approve":
      return { type: "reject", id: message.id }
    case "reject":
      return { type: "approve", id: message.id }
    case "answer":
      return { ...message, value: otherValue(message.value, request) }
    case "say":
      return { type: "say", content: "Something else.", request: request?.id ?? idle }
    case "deliver":
      return { ...message, result: { delivered: "something else" } }
    case "end":
      return { type: "cancel" }
    case "cancel":
      return { type: "end" }
  }
}

function otherValue(value: unknown, request: PendingRequest | null): unknown {
  const choice = request?.choices?.find((each) => each !== value)
  if (choice !== undefined) return choice
  return request?.kind === "auth" ? { secret: "another_secret" } : "something else"
}
