import type { NodeAnswer, NodeRequest } from "../../machines/contract/graphs/node-service.js"
import type { Envelope, HostRequest } from "../../machines/contract/services.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { JournalRecord, OutsideRecord, StoredRun } from "../journal/journal.js"
import { isOutside, resultIn } from "../journal/journal.js"
import type { KnownCall } from "./call-key.js"
import { knownCall } from "./call-key.js"
import { fieldDifferences, requestOf } from "./compare-requests.js"
import type { ReplayedParts } from "./replayed-run.js"
import { pastRun } from "./replayed-run.js"

/** One attempt of a call that a recorded run has made. */
export interface PastCall {
  readonly known: KnownCall
  /**
   * Index of the record with the result in the journal. null if the journal contains no result of
   * the call.
   */
  position: number | null
  /**
   * The recorded result. null if the call was stopped, or was still in flight at the end of the
   * recording.
   */
  result: Envelope | null
  isUsed: boolean
}

/**
 * An external event of a recorded run, such as an answer of a person, with its index in the
 * journal.
 */
export interface PastMessage {
  readonly record: OutsideRecord
  readonly position: number
}

/**
 * The calls, received messages, events and result of a recorded run. The method `find` returns the
 * recorded call that matches a new call.
 */
export interface PastCalls {
  readonly calls: readonly PastCall[]
  readonly messages: readonly PastMessage[]
  readonly events: readonly RunEvent[]
  readonly result: RunResult
  /**
   * Returns the recorded call with the same key and the same request. Marks it as used, so that
   * each call is returned only once. Ignores recorded calls that failed.
   *
   * If no recorded call matches, returns `differs`, the names of the request fields that differ
   * from the recorded call with the same key. `differs` is `[]` if the recorded call has the same
   * request but failed. It is `["call"]` if no unused recorded call has this key.
   */
  find(known: KnownCall): PastCall | { readonly differs: readonly string[] }
}

/**
 * Replays a stored run and returns its calls, messages and events. The replay does not call models
 * or tools. `machine` returns the executable machine for a machine key of the run's chart. If
 * `machine` is missing, the chart is compiled.
 */
export function pastCalls(
  { header, records }: StoredRun,
  machine?: ReplayedParts["machine"],
): PastCalls {
  const calls: PastCall[] = []
  const byNumber = new Map<number, PastCall>()
  const byKey = new Map<string, SameCalls>()
  const { run, events } = pastRun({
    header,
    past: records,
    ...(machine !== undefined && { machine }),
    watch: {
      stopped: () => {},
      called(call) {
        const past = { known: knownCall(call), position: null, result: null, isUsed: false }
        const key = keyOf(past.known)
        const same = byKey.get(key)
        if (same === undefined) byKey.set(key, { calls: [past], first: 0 })
        else same.calls.push(past)
        calls.push(past)
        byNumber.set(call.n, past)
      },
    },
  })
  addResults(byNumber, records)
  return {
    calls,
    messages: records.flatMap((record, position) =>
      isOutside(record) ? [{ record, position }] : [],
    ),
    events,
    result: run.snapshot(),
    find(known) {
      const same = byKey.get(keyOf(known))
      if (same === undefined) return { differs: ["call"] }
      while (same.calls[same.first]?.isUsed === true) same.first++
      let differs: readonly string[] | null = null
      let unfinished: PastCall | null = null
      for (let index = same.first; index < same.calls.length; index++) {
        const past = same.calls[index] as PastCall
        if (past.isUsed) continue
        const differences = differencesOf(past, known)
        if (differences === null && isAnswered(past)) return use(past)
        if (differences === null && past.result === null) unfinished ??= past
        differs = differences === null ? [] : (differs ?? differences)
      }
      return unfinished === null ? { differs: differs ?? ["call"] } : use(unfinished)
    },
  }
}

/** Recorded calls that have the same key. All calls before index `first` are already used. */
interface SameCalls {
  readonly calls: PastCall[]
  first: number
}

function use(past: PastCall): PastCall {
  past.isUsed = true
  return past
}

function addResults(
  byNumber: ReadonlyMap<number, PastCall>,
  records: readonly JournalRecord[],
): void {
  for (const [position, record] of records.entries()) {
    const past = isOutside(record) ? undefined : byNumber.get(record[0])
    if (past === undefined || isOutside(record)) continue
    past.position = position
    past.result = resultIn(record)
  }
}

/**
 * Returns true if a call has a successful result. The call of a graph node also counts as failed if
 * its response contains a `failure`.
 */
const isAnswered = ({ known, result }: PastCall): boolean =>
  result?.ok === true &&
  (known.kind !== "node" || (result.value as Partial<NodeAnswer> | null)?.failure === undefined)

const keyOf = ({ kind, key }: KnownCall): string => `${kind} ${key}`

/**
 * Compares the request of the recorded call `past` with the request of the new call `known`.
 * Returns the names of the fields that differ, or null if the requests are equal.
 */
function differencesOf(past: PastCall, known: KnownCall): readonly string[] | null {
  const [before, after] = [requestOf(past.known), requestOf(known)]
  // Pauses have no request to compare. The key of a pause already contains the time at which it
  // ends.
  if (before === null || after === null) return null
  const names = fieldDifferences(before, after)?.fields.map((name) => nameOf(name, known))
  return names === undefined ? null : [...new Set(names)].sort()
}

/**
 * Returns the name that reports show for a request field. If a host function implements a tool, the
 * name of the tool call field is shown, for example `arguments` instead of `input`.
 */
function nameOf(field: string, known: KnownCall): string {
  if (known.kind !== "host" || callKindOf(known) !== "tool") return field
  return { input: "arguments", toolCall: "tool", service: "tool" }[field] ?? field
}

/**
 * Returns the kind under which reports count a call. Graph nodes and called workflows count as
 * `tool`. Returns null for pauses, for templates, and for host functions that do not implement a
 * tool.
 */
export function callKindOf(known: KnownCall): "model" | "tool" | null {
  const { kind, path } = known
  if (kind === "model" || kind === "tool") return kind
  if (kind === "node") {
    const { task } = requestOf(known) as unknown as NodeRequest
    return task.type === "send" || task.type === "notify" ? "tool" : null
  }
  if (kind === "workflow") return "tool"
  if (kind === "pause") return null
  const { toolCall } = requestOf(known) as unknown as HostRequest
  return toolCall !== null && /\/tool:[^/]*$/.test(path) ? "tool" : null
}

/**
 * Returns the name of the tool, graph node or workflow that is called, or an empty string if it has
 * no name.
 */
export function calledToolOf(known: KnownCall): string {
  if (known.kind !== "host") return known.of ?? ""
  const { toolCall } = requestOf(known) as unknown as HostRequest
  return toolCall?.tool ?? known.of ?? ""
}
