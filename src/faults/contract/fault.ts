/**
 * The element of a run at which a fault is injected. It is a journal record, an attempt of a call,
 * an answer of a person, or the expiry of a request.
 */
export type FaultTarget = "record" | "attempt" | "answer" | "expiry"

/**
 * The kinds of faults. The value of each kind is the element of a run at which this fault is
 * injected. For example, `timeout` is injected at an attempt of a call. Reports list the kinds in
 * this order.
 */
export const faultTargets = {
  "kill-before": "record",
  "kill-after": "record",
  "clock-ahead": "record",
  "clock-back": "record",
  timeout: "attempt",
  reset: "attempt",
  "status-429": "attempt",
  "status-500": "attempt",
  malformed: "attempt",
  empty: "attempt",
  late: "attempt",
  "answer-twice": "answer",
  "other-answer": "answer",
  expiry: "expiry",
  "answer-late": "expiry",
} as const satisfies Readonly<Record<string, FaultTarget>>

export type FaultKind = keyof typeof faultTargets

/** The kinds of faults that replace the response of a service to one attempt of a call. */
export const answerFaults = [
  "reset",
  "status-429",
  "status-500",
  "malformed",
  "empty",
] as const satisfies readonly FaultKind[]

export type AnswerFault = (typeof answerFaults)[number]

// The cast is safe: the keys of the table are the kinds.
export const faultKinds = Object.keys(faultTargets) as readonly FaultKind[]

/**
 * One fault. `index` is the position at which it is injected. It counts the journal records,
 * attempts, answers or expiries of the run without a fault, from 0.
 */
export interface Fault {
  readonly kind: FaultKind
  readonly index: number
}

export const faultName = ({ kind, index }: Fault): string => `${kind}@${index}`

/**
 * The kinds of faults that must not change the result of a run, because the runtime fully recovers
 * from them.
 */
const absorbed: ReadonlySet<FaultKind> = new Set([
  "kill-before",
  "kill-after",
  "clock-ahead",
  "clock-back",
  "late",
  "answer-twice",
  "other-answer",
])

export const isAbsorbed = (kind: FaultKind): boolean => absorbed.has(kind)

/** The `Retry-After` time of the injected fault `status-429`, in milliseconds. */
export const injectedRetryAfterMs = 2_000

/** The response body that the fault `malformed` injects. It is incomplete JSON. */
export const brokenBody = '{"broken'

/**
 * Returns the number of milliseconds by which a fault sets the clock ahead. It is negative if the
 * fault sets the clock back, and 0 if the fault does not change the clock.
 */
export const clockJump = (kind: FaultKind | undefined): number =>
  kind === "clock-ahead" ? 3_600_000 : kind === "clock-back" ? -3_600_000 : 0
