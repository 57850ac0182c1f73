import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { RunExecution } from "../run/run-execution.js"
import { noRequestId } from "../run/replies.js"
import { sameJson } from "./equal-json.js"
import type { PastCalls, PastMessage } from "./past-calls.js"
import type { Delivery, RecordedMessages } from "./recorded-calls.js"

/**
 * The recorded answers, user messages and stops of a run. They are delivered to a new run that
 * reuses the recorded results.
 */
export interface RecordedAnswers extends RecordedMessages {
  /**
   * Number of recorded answers and user messages that the new run has accepted. Stops and edits of
   * the session state are not counted.
   */
  readonly reused: number
  /** Recorded answers and user messages that the new run has not accepted so far. */
  readonly unused: readonly PastMessage[]
}

/**
 * Returns the messages of a recorded run, for delivery to `run`. An answer is delivered if its
 * request is pending. An approval, a consent or the result of a long-running tool is delivered only
 * if the recorded request has the same tool calls, because a person has approved only those calls.
 */
export function recordedAnswers(
  { messages, events }: PastCalls,
  run: RunExecution,
): RecordedAnswers {
  const asked = requestsById(events.flatMap(requestOf))
  const unused = [...messages]
  let reused = 0
  /**
   * Returns the index of the first message that the run accepts now, or -1 if there is none. Only
   * considers messages whose position in the journal is less than `before`.
   */
  const firstAccepted = (before: number, isBusy: boolean): number => {
    const open = new Map(run.pending().map((request) => [request.id, request]))
    for (const [index, { record, position }] of unused.entries()) {
      if (position >= before) return -1
      const [, , event] = record
      const id = idOf(event)
      if (id === noRequestId) return run.isBetweenInvocations() ? index : -1
      if (id === null) {
        // A stop that is the last message is delivered even if the run has not accepted the
        // messages before it.
        const isNext = index === 0 || index === unused.length - 1
        if (!isBusy && isNext && mayEdit(event, open)) return index
        continue
      }
      const request = open.get(id)
      if (request !== undefined && (asked.get(id) ?? []).some((other) => isSame(other, request)))
        return index
    }
    return -1
  }
  const deliveryAt = (index: number): Delivery => {
    const message = unused[index] as PastMessage
    const { record, position } = message
    return {
      position,
      at: record[3],
      deliver() {
        unused.splice(unused.indexOf(message), 1)
        if (idOf(record[2]) !== null) reused++
        const at = run.now()
        run.append([-1, record[1], { ...record[2], at }, at])
      },
    }
  }
  return {
    get reused() {
      return reused
    },
    get unused() {
      return unused.filter(({ record }) => idOf(record[2]) !== null)
    },
    next(position, isBusy) {
      const index = run.isOpen() ? firstAccepted(position, isBusy) : -1
      return index === -1 ? null : deliveryAt(index)
    },
  }
}

const idOf = ({ id }: MachineEvent): string | null => (typeof id === "string" ? id : null)

/**
 * Returns true if a recorded stop or edit of the session state may be applied at this time. A stop
 * with status `completed` is only applied if every pending request waits for user input.
 */
const mayEdit = (
  event: MachineEvent,
  open: ReadonlyMap<string, Pick<PendingRequest, "kind">>,
): boolean =>
  event.type !== "run.stopped" ||
  event["as"] !== "completed" ||
  [...open.values()].every(({ kind }) => kind === "input")

const requestOf = (event: PastCalls["events"][number]): readonly PendingRequest[] =>
  event.type === "human.asked" || event.type === "user.awaited" ? [event.request] : []

function requestsById(
  requests: readonly PendingRequest[],
): ReadonlyMap<string, readonly PendingRequest[]> {
  const byId = new Map<string, PendingRequest[]>()
  for (const request of requests) {
    const same = byId.get(request.id)
    if (same === undefined) byId.set(request.id, [request])
    else same.push(request)
  }
  return byId
}

const isSame = (before: PendingRequest, now: PendingRequest): boolean =>
  before.kind === now.kind &&
  (now.kind === "human" || now.kind === "input" || sameJson(before.toolCalls, now.toolCalls))
