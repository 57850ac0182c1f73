import type { Outcome } from "../machines/contract/run-event.js"

/** The kinds of occurrences that a policy file can name. */
export const occurrenceKinds = [
  "call",
  "result",
  "approval",
  "rejection",
  "start",
  "finish",
  "model",
  "write",
  "answer",
  "handoff",
  "run",
] as const

export type OccurrenceKind = (typeof occurrenceKinds)[number]

/**
 * An activity that encloses an occurrence: a running agent or an open tool call. Activities that
 * can be open at the same time have different ids.
 */
export interface Frame {
  readonly id: string
  readonly agent: string | null
  readonly tool: string | null
}

/**
 * Occurrences that a policy file cannot name. `returned`: a call ended, also with an error.
 * `dropped`: all activities whose id begins with the name end. `message`: the next invocation
 * begins. `iterated`: a loop begins its next iteration.
 */
export type InternalKind = "returned" | "dropped" | "message" | "iterated"

/** One thing that occurs in a run. */
export interface Occurrence {
  readonly kind: OccurrenceKind | InternalKind
  /** Name of the tool, agent, model or key, or the status of a run. */
  readonly name: string
  /** The agent that causes the occurrence. */
  readonly agent: string
  /** The open activities around the occurrence, outermost first. */
  readonly within: readonly Frame[]
  readonly approved?: boolean
  readonly outcome?: Outcome
  readonly value?: unknown
  /** Only for `start`, `finish`, `call` and `returned`: the activity that begins or ends. */
  readonly activity?: Frame
}
