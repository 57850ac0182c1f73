import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { noRequestId } from "../../runtime/run/replies.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/** A wait in the script of the simulated people. No answer is sent until a request has expired. */
export interface AwaitedExpiry {
  readonly type: "expire"
  /** Time at which the request expires, in milliseconds since the epoch. */
  readonly until: number
}

/**
 * An entry in the script of the simulated people. It is an answer to a pending request, or a wait
 * until a request expires.
 */
export interface ScriptedAnswer {
  /**
   * Returns the message that delivers this answer to the run, or the expiry for which the run must
   * wait.
   *
   * @throws Error if the answer does not fit a pending request
   */
  message(run: RunControls): RunMessage | AwaitedExpiry
  /** Whether the answer can be sent to a run that is idle between two invocations. */
  readonly isForIdleRun: boolean
  /** Whether the answer is a user message without a request id. */
  readonly isUnaddressed: boolean
}

/** An answer that a simulated person has sent to the run. */
export interface SentAnswer {
  /** Index of the answer in the script, from 0. */
  readonly index: number
  readonly message: RunMessage
  /** The answered request. null if the answer is a message to an idle run. */
  readonly request: PendingRequest | null
  /** Index of the journal record of this answer, from 0. */
  readonly record: number
}

/** A wait of the simulated people until a pending request expired. */
export interface ScriptedWait {
  /** Index of the wait in the script, from 0. */
  readonly index: number
  /** Time at which the request expired, in milliseconds since the epoch. */
  readonly until: number
  /** Number of journal records when the run began to wait for the expiry of a request. */
  readonly record: number
}

/**
 * The simulated people of one run. Each time that the run is idle, they send the next answer of the
 * script.
 */
export class People {
  readonly sentAnswers: SentAnswer[] = []
  readonly awaited: ScriptedWait[] = []
  /**
   * No answer is sent before this time, so that a request can expire. The time is in milliseconds
   * since the epoch. null if answers are sent immediately.
   */
  silentUntil: number | null = null
  readonly #script: readonly ScriptedAnswer[]
  /**
   * Index of the scripted answer to each request, by request id. The indexes come from the run
   * without a fault. null if this run itself is the run without a fault.
   */
  readonly #bound: ReadonlyMap<string, number> | null
  readonly #used = new Set<number>()

  constructor(script: readonly ScriptedAnswer[], before: readonly SentAnswer[] | null) {
    this.#script = script
    this.#bound =
      before === null
        ? null
        : new Map(before.map(({ index, request }) => [request?.id ?? noRequestId, index] as const))
  }

  /**
   * Returns the next answer to send, or the expiry for which the run must wait. Returns null if the
   * script has no answer for the run. `isIdle` is true between two invocations. `record` is the
   * number of journal records so far.
   *
   * @throws Error in the run without a fault, if the next answer does not fit a pending request
   */
  next(run: RunControls, isIdle: boolean, record: number): SentAnswer | AwaitedExpiry | null {
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

  /**
   * Returns the indexes of the scripted answers that may be sent next, in the order in which to try
   * them. Answers that the pending requests received in the run without a fault come first. All
   * other unused answers follow.
   */
  #candidates(run: RunControls, isIdle: boolean): readonly number[] {
    const unused = this.#script.map((_, index) => index).filter((index) => !this.#used.has(index))
    if (this.#bound === null) return unused.slice(0, 1)
    const ids = isIdle ? [noRequestId] : run.pending().map(({ id }) => id)
    const own = ids.flatMap((id) => this.#bound?.get(id) ?? []).filter((n) => unused.includes(n))
    return [...own.sort((one, other) => one - other), ...unused]
  }

  /** Marks an answer as used and adds it to `sentAnswers`. */
  use(answer: SentAnswer): void {
    this.#used.add(answer.index)
    this.sentAnswers.push(answer)
  }

  /**
   * Marks a scripted wait for an expiry as executed, so that it is not repeated. No answer is sent
   * before the request has expired.
   */
  wait(awaited: ScriptedWait): void {
    this.#used.add(awaited.index)
    this.awaited.push(awaited)
    this.silentUntil = awaited.until
  }

  /**
   * Marks the last answer as unused, because the process was killed before the answer was stored.
   */
  takeBack(): void {
    const last = this.sentAnswers.pop()
    if (last !== undefined) this.#used.delete(last.index)
  }

  /**
   * Marks an answer as used without sending it. The injected fault requires that the request
   * expires before an answer is sent.
   */
  withhold({ index }: SentAnswer): void {
    this.#used.add(index)
  }

  /** Returns a message that sends the same answer a second time. */
  again({ index, message }: SentAnswer): RunMessage {
    return message.type === "say" && this.#script[index]?.isUnaddressed === true
      ? { type: "say", content: message.content }
      : message
  }
}

function fitting(
  answer: ScriptedAnswer,
  run: RunControls,
): ReturnType<ScriptedAnswer["message"]> | null {
  try {
    return answer.message(run)
  } catch (error) {
    // The answer belongs to a request that this run does not create.
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

/**
 * Returns a message with a different answer to the same request, for example a rejection instead of
 * an approval.
 */
export function otherAnswer({ message, request }: SentAnswer): RunMessage {
  switch (message.type) {
    case "approve":
      return { type: "reject", id: message.id }
    case "reject":
      return { type: "approve", id: message.id }
    case "answer":
      return { ...message, value: otherValue(message.value, request) }
    case "say":
      return { type: "say", content: "Something else.", request: request?.id ?? noRequestId }
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
