/**
 * The position at which a fault is injected: a journal record, an attempt of a call, an answer of a
 * person, or the expiry of a request.
 */
export type FaultTarget = "record" | "attempt" | "answer" | "expiry"

/**
 * For each kind of fault, the place at which faults of this kind are injected. Reports list the
 * kinds in this order.
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

/** A kind of fault that replaces a service's response to one attempt of a call. */
export type AnswerFault = "reset" | "status-429" | "status-500" | "malformed" | "empty"

// The cast is safe: the keys of the table are the kinds.
export const faultKinds = Object.keys(faultTargets) as readonly FaultKind[]

/**
 * One fault. `index` is the position of the fault's target among all targets of this kind in the
 * fault-free run, from 0.
 */
export interface Fault {
  readonly kind: FaultKind
  readonly index: number
}

export const faultName = ({ kind, index }: Fault): string => `${kind}@${index}`

/**
 * The kinds of faults that must not change the result of a run, because the runtime recovers from
 * them completely.
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

/** The response body that the fault `malformed` injects: JSON that is cut off. */
export const brokenBody = '{"broken'

/**
 * Returns by how many milliseconds a fault sets the clock ahead. 0: the fault does not change the
 * clock.
 */
export const clockJump = (kind: FaultKind | undefined): number =>
  kind === "clock-ahead" ? 3_600_000 : kind === "clock-back" ? -3_600_000 : 0
