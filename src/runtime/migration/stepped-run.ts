import type { Envelope } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { JournalHeader, JournalRecord } from "../journal/journal.js"
import { isOutside, resultIn } from "../journal/journal.js"
import type { RunExecution } from "../run/run-execution.js"
import { noRequestId } from "../run/replies.js"
import type { KnownCall } from "../history/call-key.js"
import { knownCall, mapKey } from "../history/call-key.js"
import type { ReplayedParts } from "../history/replayed-run.js"
import { pastRun } from "../history/replayed-run.js"

interface OpenCall {
  readonly known: KnownCall
  readonly complete: (result: Envelope) => void
}

/**
 * A run that is replayed step by step: each call of `process` processes one recorded result or
 * message. No models or tools are called.
 */
export class SteppedRun {
  readonly run: RunExecution
  /** Calls that have started and have no result yet, by call number. */
  readonly #calls = new Map<number, OpenCall>()
  /**
   * Time of the last processed record, or the start time of the run, in milliseconds since the
   * epoch.
   */
  #time: number

  constructor(header: JournalHeader, machine: NonNullable<ReplayedParts["machine"]>) {
    this.#time = header.at
    this.run = pastRun({
      header,
      past: null,
      machine,
      now: () => this.#time,
      start: (call, complete) => {
        this.#calls.set(call.n, { known: knownCall(call), complete })
        return () => void this.#calls.delete(call.n)
      },
    }).run
  }

  /** Calls that have started and have no result yet. */
  get inFlight(): readonly KnownCall[] {
    return [...this.#calls.values()].map(({ known }) => known)
  }

  /**
   * Processes a record. Returns a text that identifies the call or the request to which the record
   * belongs. If this call or request is not open, returns null and does not process the record.
   */
  process(record: JournalRecord): string | null {
    if (!isOutside(record)) {
      const call = this.#calls.get(record[0])
      if (call === undefined) return null
      this.#calls.delete(record[0])
      this.#time = record[3]
      call.complete(resultIn(record))
      return callText(call.known)
    }
    const target = this.#targetOf(record[2]["id"])
    if (target === null) return null
    this.#time = record[3]
    this.run.append(record)
    return target
  }

  /**
   * Returns a text that identifies the current position of the run: its status, its pending
   * requests and its calls in flight. The text does not depend on the order of the requests and
   * calls.
   */
  position(): string {
    return JSON.stringify([
      this.run.status,
      this.run.pending().map(requestText).sort(),
      this.inFlight.map(callText).sort(),
    ])
  }

  #targetOf(id: unknown): string | null {
    if (typeof id !== "string") return this.run.isOpen() ? "run" : null
    if (id === noRequestId) return this.run.isBetweenInvocations() ? "run" : null
    const request = this.run.pending().find((pending) => pending.id === id)
    return request === undefined ? null : requestText(request)
  }
}

/**
 * Returns a text that identifies a call, so that the calls of two charts can be compared. All
 * pauses of a workflow have the same text, because the other chart may define another pause length.
 */
const callText = (known: KnownCall): string =>
  known.kind === "pause" && known.key.startsWith("pause until ") ? "pause" : mapKey(known)

/**
 * Returns a text that identifies a pending request. It includes the tool calls that a person must
 * approve or that wait for a result.
 */
const requestText = ({ kind, id, toolCalls = [] }: PendingRequest): string =>
  JSON.stringify([
    kind,
    id,
    ...toolCalls.map(({ id: call, name, args }) => [call, name, args] as const),
  ])
