import type { Outcome } from "../machines/contract/run-event.js"

/** The kinds of occurrences (things that happen in a run) that a policy file can mention. */
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
 * A running agent or an open tool call, inside which an occurrence happens. Ids are unique among
 * the agents and calls that can be active at the same time.
 */
export interface Frame {
  readonly id: string
  readonly agent: string | null
  readonly tool: string | null
}

/**
 * Kinds of occurrences that exist only internally. `returned`: a call has ended, with a result or
 * an error. `dropped`: all activities whose id begins with `name` have ended. `message`: an
 * invocation begins. `iterated`: a loop begins its next iteration.
 */
export type InternalKind = "returned" | "dropped" | "message" | "iterated"

/**
 * Something that happens in a run and that policies can refer to, such as a tool call or a write.
 */
export interface Occurrence {
  readonly kind: OccurrenceKind | InternalKind
  /**
   * Name of the tool, agent, model or state key. For the kind `run`: the final status of the run.
   */
  readonly name: string
  /** Name of the agent that causes the occurrence. */
  readonly agent: string
  /**
   * The running agents and open tool calls inside which the occurrence happens, outermost first.
   */
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
