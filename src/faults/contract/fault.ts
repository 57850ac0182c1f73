/**
 * Where a fault of a kind is injected: at a record, an attempt of a call, or an answer of a person.
 */
export type FaultTarget = "record" | "attempt" | "answer" | "expiry"

/** The kinds of faults with their targets, in the order of a certificate. */
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

/** A fault of an attempt that replaces the answer of the service. */
export type AnswerFault = "reset" | "status-429" | "status-500" | "malformed" | "empty"

// The cast is safe: the keys of the table are the kinds.
export const faultKinds = Object.keys(faultTargets) as readonly FaultKind[]

/** One fault. `index` counts the targets of its kind in the fault-free run, from 0. */
export interface Fault {
  readonly kind: FaultKind
  readonly index: number
}

export const faultName = ({ kind, index }: Fault): string => `${kind}@${index}`

/** The kinds whose faults the runtime absorbs: the run has the same result. */
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

/** The injected `Retry-After` of `status-429`, in milliseconds. */
export const injectedRetryAfterMs = 2_000

/** The response body that the fault `malformed` injects: JSON that is cut off. */
export const brokenBody = '{"broken'

/** Returns how far a fault sets the clock ahead, in milliseconds. */
export const clockJump = (kind: FaultKind | undefined): number =>
  kind === "clock-ahead" ? 3_600_000 : kind === "clock-back" ? -3_600_000 : 0
