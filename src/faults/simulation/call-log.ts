import type { CallIdentity } from "../../machines/contract/services.js"
import type { LeafCall } from "../../runtime/driver/host.js"
import type { KnownCall } from "../../runtime/history/call-key.js"
import { describeKnownCall, knownCall, mapKey } from "../../runtime/history/call-key.js"
import { compareRequests } from "../../runtime/history/compare-requests.js"
import { isOutside, type JournalRecord } from "../../runtime/journal/journal.js"
import type { Violation } from "../contract/violation.js"

/** One attempt of a call of a model, a tool or a graph node, as its service received it. */
export interface ServiceAttempt {
  readonly kind: "model" | "tool" | "node"
  /** The agent for a model call, otherwise the tool or the node. */
  readonly service: string
  readonly agent: string
  /** Idempotency key of the call without the run id. */
  readonly key: string
  readonly attempt: number
  readonly maximumAttempts: number
  /** Time of the request, in milliseconds since the epoch. */
  readonly time: number
}

/** How often a service or a host function was asked under one key. */
export interface AskedService {
  readonly kind: "model" | "tool" | "node" | "function"
  readonly service: string
  readonly key: string
  asked: number
  /** How often it did the work. A refused request does no work. */
  carriedOut: number
}

export const keyIn = ({ idempotencyKey, runId }: CallIdentity): string =>
  idempotencyKey.slice(runId.length + 1)

/** One observation of a call log, as JSON. */
export type CallEntry =
  | { readonly type: "call"; readonly call: Pick<LeafCall, "n" | "src" | "input"> }
  | { readonly type: "asked"; readonly attempt: ServiceAttempt; readonly isRefused: boolean }
  | { readonly type: "function"; readonly service: string; readonly key: string }

/** All calls of one run, in all of its processes. It checks each call against the earlier ones. */
export class CallLog {
  /** Each call with its first request, without pauses, by kind, key and attempt. */
  readonly calls = new Map<string, KnownCall>()
  readonly attempts: ServiceAttempt[] = []
  readonly services = new Map<string, AskedService>()
  readonly violations: Violation[] = []
  /** The calls by their number in the run. */
  readonly byNumber = new Map<number, KnownCall>()
  readonly #completed = new Set<string>()
  #note: ((entry: CallEntry) => void) | null = null

  /** Adds the observations of a killed process. `records` are its stored records. */
  restore(entries: readonly CallEntry[], records: readonly JournalRecord[]): void {
    for (const entry of entries)
      if (entry.type === "call") this.started(entry.call)
      else if (entry.type === "asked") this.asked(entry.attempt, entry.isRefused)
      else this.functionStarted(entry.service, entry.key)
    for (const record of records) this.stored(record)
  }

  /** Calls `note` with each further observation. */
  noteWith(note: (entry: CallEntry) => void): void {
    this.#note = note
  }

  /** Adds a call that the run starts. */
  started(call: Pick<LeafCall, "n" | "src" | "input">): void {
    const { n, src, input } = call
    if (src !== "sleepUntil")
      this.#note?.({
        type: "call",
        call: { n, src, input: { request: (input as { readonly request: unknown }).request } },
      })
    const known = knownCall(call)
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
        message: `${describeKnownCall(known)} again, although its result is stored`,
      })
    const difference = compareRequests(before, known)
    if (difference !== null)
      this.violations.push({
        invariant: "same_request",
        subject: known.of ?? known.agent ?? "",
        message: `${describeKnownCall(known)} again with another request: ${difference.lines.join("; ")}`,
      })
  }

  /** Notes that the result of a call is stored. */
  stored(record: JournalRecord): void {
    if (isOutside(record)) return
    const known = this.byNumber.get(record[0])
    if (known !== undefined && known.kind !== "pause") this.#completed.add(mapKey(known))
  }

  /** Counts a request to a service. `isRefused`: the service does not do the work. */
  asked(attempt: ServiceAttempt, isRefused: boolean): void {
    this.#note?.({ type: "asked", attempt, isRefused })
    this.attempts.push(attempt)
    this.#count(attempt.kind, attempt.service, attempt.key, isRefused ? 0 : 1)
  }

  /** Counts a start of a host function. */
  functionStarted(service: string, key: string): void {
    this.#note?.({ type: "function", service, key })
    this.#count("function", service, key, 1)
  }

  #count(kind: AskedService["kind"], service: string, key: string, carriedOut: number): void {
    const id = JSON.stringify([kind, service, key])
    const known = this.services.get(id) ?? { kind, service, key, asked: 0, carriedOut: 0 }
    known.asked++
    known.carriedOut += carriedOut
    this.services.set(id, known)
  }
}
