import { faultTargets, type FaultKind, type FaultTarget } from "../contract/fault.js"
import type { FaultPosition } from "../contract/fault-position.js"
import { isOutside, type JournalRecord } from "../../runtime/journal/journal.js"
import type { KnownCall } from "../../runtime/history/call-key.js"
import type { ServiceAttempt } from "../environment/call-log.js"
import type { SentAnswer } from "./people.js"
import type { PlacedFault, ObservedRun } from "./observed-run.js"

/** A fault that can be injected into a run, with a description of its position for reports. */
export interface PossibleFault extends PlacedFault {
  readonly at: FaultPosition
}

/**
 * Returns all positions in the run without a fault at which faults can be injected, grouped into
 * records, attempts, answers and expiries.
 */
export function faultPositions({
  records,
  log,
  sentAnswers: given,
}: ObservedRun): Readonly<Record<FaultTarget, readonly Omit<PossibleFault, "kind" | "index">[]>> {
  const answers = new Map(given.map((answer) => [answer.record, answer] as const))
  const recordOf = new Map<string, number>()
  const ofRecords = records.map((record, index) => {
    const known = isOutside(record) ? undefined : log.byNumber.get(record[0])
    if (known !== undefined) recordOf.set(callId(known), index)
    return {
      record: index,
      at: { record: index, ...positionOf(record, known, answers.get(index)) },
    }
  })
  const ofAttempts = log.attempts.map((attempt) => {
    const record = recordOf.get(attemptId(attempt))
    return {
      attempt,
      at: { ...(record !== undefined && { record }), ...positionOfAttempt(attempt) },
    }
  })
  const ofAnswer = (answer: SentAnswer): Omit<PossibleFault, "kind" | "index"> => ({
    answer: answer.index,
    at: { record: answer.record, ...positionOfAnswer(answer) },
  })
  return {
    record: ofRecords,
    attempt: ofAttempts,
    // A message to an idle run answers no request, so repeating it starts another invocation.
    answer: given.filter(({ request }) => request !== null).map(ofAnswer),
    expiry: given.filter(({ request }) => request?.expiresAt !== undefined).map(ofAnswer),
  }
}

/** Returns all possible faults of a kind, in the order of their positions in the run. */
export const faultsOfKind = (
  kind: FaultKind,
  positions: ReturnType<typeof faultPositions>,
): readonly PossibleFault[] =>
  positions[faultTargets[kind]].map((position, index) => ({ kind, index, ...position }))

/**
 * Returns an id that consists of the key and the attempt of a call, such as `flow/clerk#0@1`. For a
 * graph node, the suffixes `.send` and `.notify` of the key are removed, so that the id equals the
 * id of the request to the service.
 */
const callId = ({ kind, key, attempt }: KnownCall): string =>
  `${kind === "node" ? key.replace(/\.(send|notify)$/, "") : key}@${attempt}`

const attemptId = ({ key, attempt }: ServiceAttempt): string => `${key}@${attempt}`

function positionOf(
  record: JournalRecord,
  known: KnownCall | undefined,
  answer: SentAnswer | undefined,
): FaultPosition {
  if (isOutside(record)) return answer === undefined ? {} : positionOfAnswer(answer)
  if (known === undefined || known.agent === null) return {}
  const { kind, agent, of } = known
  return {
    call: callId(known),
    agent,
    ...(of !== null && kind !== "model" && { [fieldOf[kind]]: of }),
  }
}

const fieldOf = {
  tool: "tool",
  node: "node",
  host: "service",
  workflow: "call",
  pause: "call",
} as const

const positionOfAttempt = (attempt: ServiceAttempt): FaultPosition => ({
  call: attemptId(attempt),
  agent: attempt.agent,
  ...(attempt.kind === "tool" && { tool: attempt.service }),
  ...(attempt.kind === "node" && { node: attempt.service }),
})

const positionOfAnswer = ({ index, request }: SentAnswer): FaultPosition => ({
  answer: index,
  ...(request !== null && { request: request.id, agent: request.agent }),
})
