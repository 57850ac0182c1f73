import type { CallIdentity } from "../../machines/contract/services.js"
import type { LeafCall } from "../../runtime/driver/host.js"
import type { KnownCall } from "../../runtime/history/call-key.js"
import { describeKnownCall, knownCall, mapKey } from "../../runtime/history/call-key.js"
import { isOutside, type JournalRecord } from "../../runtime/journal/journal.js"
import type { Violation } from "../contract/violation.js"
import { jsonComparer } from "./json-comparer.js"
import { requestDifference } from "./request-difference.js"

/** One attempt of a call to a model, a tool or a graph node, as the service received it. */
export interface ServiceAttempt {
  readonly kind: "model" | "tool" | "node"
  /** Name of the tool or the graph node. For a model call, the name of the agent. */
  readonly service: string
  readonly agent: string
  /** Idempotency key of the call, without the run id. */
  readonly key: string
  readonly attempt: number
  readonly maximumAttempts: number
  /** Time of the request, in milliseconds since the epoch. */
  readonly time: number
}

/** One request to a service, or one start of a host function. */
export interface ServiceUse {
  readonly kind: "model" | "tool" | "node" | "function"
  readonly service: string
  readonly key: string
  /**
   * Whether the service carried out the request, for example placed an order. False if it rejected
   * the request.
   */
  readonly isCarriedOut: boolean
}

/** The requests to a service or host function with one idempotency key. `asked` is their number. */
export interface CalledService extends Pick<ServiceUse, "kind" | "service" | "key"> {
  readonly asked: number
  /** Number of requests that the service carried out and did not reject. */
  readonly carriedOut: number
}

/** A position in a call log. Each field is the number of entries in one of the lists of the log. */
export interface LogPosition {
  readonly calls: number
  readonly numbers: number
  readonly attempts: number
  readonly uses: number
  readonly completed: number
}

export const keyIn = ({ idempotencyKey, runId }: CallIdentity): string =>
  idempotencyKey.slice(runId.length + 1)

/**
 * One entry of a call log, which records the calls of a run. It is a call that the run starts, a
 * request to a service, or the start of a host function. Entries are JSON, so that they can be
 * written to disk.
 */
export type CallEntry =
  | { readonly type: "call"; readonly call: Pick<LeafCall, "n" | "src" | "input"> }
  | { readonly type: "asked"; readonly attempt: ServiceAttempt; readonly isRefused: boolean }
  | { readonly type: "function"; readonly service: string; readonly key: string }

/**
 * Stores all calls of one run, in all of its processes. Reports a violation if a repeated call has
 * a different request, or if a call is repeated although its result is stored.
 */
export class CallLog {
  /**
   * The first request of each call, by kind, idempotency key and attempt. Pauses are not included.
   */
  readonly calls = new Map<string, KnownCall>()
  readonly attempts: ServiceAttempt[] = []
  readonly violations: Violation[] = []
  /** The calls that the run has started, by their sequence number in the run. */
  readonly byNumber = new Map<number, KnownCall>()
  readonly #uses: ServiceUse[] = []
  readonly #completed = new Set<string>()
  /**
   * The time and the index of the first request of each attempt. A restarted process may repeat the
   * request.
   */
  readonly #firstAttempts = new Map<string, { readonly time: number; readonly index: number }>()
  /**
   * The log from which the first entries were copied, and the number of copied attempts. null if no
   * entries were copied.
   */
  #copied: { readonly from: CallLog; readonly attempts: number } | null = null
  /**
   * The log of the run without a fault, for comparison. Set only if this run has a fault and must
   * still make the same calls. Otherwise, it is null.
   */
  readonly #expected: CallLog | null
  readonly #same = jsonComparer()
  #listener: ((entry: CallEntry) => void) | null = null
  #isPaused = false

  constructor(expected: CallLog | null) {
    this.#expected = expected
  }

  get position(): LogPosition {
    return {
      calls: this.calls.size,
      numbers: this.byNumber.size,
      attempts: this.attempts.length,
      uses: this.#uses.length,
      completed: this.#completed.size,
    }
  }

  /**
   * Restores the log after a kill. `entries` are the log entries that the killed process left.
   * `records` are the journal records that it stored.
   */
  restore(entries: readonly CallEntry[], records: readonly JournalRecord[]): void {
    for (const entry of entries)
      if (entry.type === "call") this.started(entry.call)
      else if (entry.type === "asked") this.addAttempt(entry.attempt, entry.isRefused)
      else this.functionStarted(entry.service, entry.key)
    for (const record of records) this.stored(record)
  }

  /** Copies the entries of another log up to a position. */
  copyFrom(other: CallLog, { calls, numbers, attempts, uses, completed }: LogPosition): void {
    for (const [id, call] of first(calls, other.calls)) this.calls.set(id, call)
    for (const [n, call] of first(numbers, other.byNumber)) this.byNumber.set(n, call)
    for (const id of first(completed, other.#completed)) this.#completed.add(id)
    this.#copied = { from: other, attempts }
    for (const attempt of first(attempts, other.attempts)) this.attempts.push(attempt)
    for (const use of first(uses, other.#uses)) this.#uses.push(use)
  }

  /** Stops recording calls until the returned function is called. */
  pause(): () => void {
    this.#isPaused = true
    return () => {
      this.#isPaused = false
    }
  }

  /** Sets a function that is called with each new entry, for example to write the entry to disk. */
  onEntry(listener: (entry: CallEntry) => void): void {
    this.#listener = listener
  }

  /** Records a call that the run starts, and compares it with earlier calls with the same key. */
  started(call: Pick<LeafCall, "n" | "src" | "input">): void {
    if (this.#isPaused) return
    const { n, src, input } = call
    if (src !== "sleepUntil")
      this.#listener?.({
        type: "call",
        call: { n, src, input: { request: (input as { readonly request: unknown }).request } },
      })
    const known = this.#asExpected(knownCall(call))
    this.byNumber.set(call.n, known)
    if (known.kind === "pause") return
    const id = mapKey(known)
    const before = this.calls.get(id)
    if (before === undefined) {
      this.calls.set(id, known)
      return
    }
    if (this.#completed.has(id))
      this.violations.push({
        invariant: "completed_once",
        subject: known.of ?? known.agent ?? "",
        message: `this call was made again, although its result is stored: ${describeKnownCall(known)}`,
      })
    const difference = requestDifference(before, known)
    if (difference !== null)
      this.violations.push({
        invariant: "same_request",
        subject: known.of ?? known.agent ?? "",
        message: `this call was made again with a different request: ${describeKnownCall(known)}: ${difference.lines.join("; ")}`,
      })
  }

  /**
   * Looks for the same call and request in the log of the run without a fault. Returns the call
   * object of that log, or `known` if there is none. Sharing the object saves memory and makes
   * later comparisons of the calls unnecessary.
   */
  #asExpected(known: KnownCall): KnownCall {
    if (known.kind === "pause") return known
    const expected = this.#expected?.calls.get(mapKey(known))
    return expected === undefined || requestDifference(expected, known, this.#same) !== null
      ? known
      : expected
  }

  /** Records that the journal contains the result of a call. */
  stored(record: JournalRecord): void {
    if (this.#isPaused || isOutside(record)) return
    const known = this.byNumber.get(record[0])
    if (known !== undefined && known.kind !== "pause") this.#completed.add(mapKey(known))
  }

  /**
   * Records a request to a service. `isRefused` is true if the service rejects the request and does
   * no work.
   */
  addAttempt(attempt: ServiceAttempt, isRefused: boolean): void {
    if (this.#isPaused) return
    this.#listener?.({ type: "asked", attempt, isRefused })
    const { kind, service, key, time } = attempt
    const id = attemptId(attempt)
    if (!this.#firstAttempts.has(id))
      this.#firstAttempts.set(id, { time, index: this.attempts.length })
    this.attempts.push(attempt)
    this.#uses.push({ kind, service, key, isCarriedOut: !isRefused })
  }

  /**
   * Returns the time at which an attempt was requested first. A restarted process may have repeated
   * the request.
   */
  firstAsked(attempt: ServiceAttempt): number {
    const id = attemptId(attempt)
    const copied = this.#copied === null ? undefined : this.#copied.from.#firstAttempts.get(id)
    const first =
      copied !== undefined && copied.index < (this.#copied?.attempts ?? 0)
        ? copied
        : this.#firstAttempts.get(id)
    return first?.time ?? attempt.time
  }

  /** Records the start of a host function. */
  functionStarted(service: string, key: string): void {
    if (this.#isPaused) return
    this.#listener?.({ type: "function", service, key })
    this.#uses.push({ kind: "function", service, key, isCarriedOut: true })
  }

  /**
   * Returns how many requests each service received, and how often each host function was started.
   * The requests are counted separately for each idempotency key.
   */
  usedServices(): readonly CalledService[] {
    const used = new Map<string, { -readonly [Key in keyof CalledService]: CalledService[Key] }>()
    for (const { kind, service, key, isCarriedOut } of this.#uses) {
      const id = `${kind} ${key} ${service}`
      const known = used.get(id)
      const carriedOut = isCarriedOut ? 1 : 0
      if (known === undefined) used.set(id, { kind, service, key, asked: 1, carriedOut })
      else {
        known.asked++
        known.carriedOut += carriedOut
      }
    }
    return [...used.values()]
  }
}

const attemptId = ({ key, attempt }: ServiceAttempt): string => `${key} ${attempt}`

function* first<Item>(count: number, items: Iterable<Item>): Iterable<Item> {
  if (count === 0) return
  let taken = 0
  for (const item of items) {
    yield item
    if (++taken === count) return
  }
}
