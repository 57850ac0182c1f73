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
 * An activity that encloses an occurrence: a running agent or an open tool call. Ids are unique
 * among activities that can be open at the same time.
 */
export interface Frame {
  readonly id: string
  readonly agent: string | null
  readonly tool: string | null
}

/**
 * Kinds of occurrences that a policy file cannot name. `returned`: a call ended, with a result or
 * an error. `dropped`: all activities whose id begins with `name` end. `message`: the next
 * invocation begins. `iterated`: a loop begins its next iteration.
 */
export type InternalKind = "returned" | "dropped" | "message" | "iterated"

/**
 * Something that happens in a run and that policies can refer to, such as a tool call or a write.
 */
export interface Occurrence {
  readonly kind: OccurrenceKind | InternalKind
  /** Name of the tool, agent, model or key. For the kind `run`: the status of the run. */
  readonly name: string
  /** The agent that causes the occurrence. */
  readonly agent: string
  /** The activities that enclose the occurrence, outermost first. */
  readonly within: readonly Frame[]
  readonly approved?: boolean
  readonly outcome?: Outcome
  readonly value?: unknown
  /**
   * The activity that begins, ends or iterates. Only set for `start`, `finish`, `call`, `returned`
   * and `iterated`.
   */
  readonly activity?: Frame
}
