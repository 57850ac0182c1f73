import type { Outcome } from "../machines/contract/run-event.js"

/**
 * The kinds of occurrences that a policy file can contain. An occurrence is something that happens
 * in a run, such as a tool call (`call`).
 */
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
 * A running agent or an open tool call. Other actions, such as tool calls, can happen inside it.
 * Ids are unique among the agents and tool calls that can be active at the same time.
 */
export interface Frame {
  readonly id: string
  readonly agent: string | null
  readonly tool: string | null
}

/**
 * Kinds of occurrences in a run that policy files cannot contain. `returned` means that a tool call
 * has ended, with a result or an error. `dropped` means that all agents and tool calls whose id
 * begins with `Occurrence.name` have ended. `message` starts an invocation, and `iterated` starts
 * the next iteration of a loop.
 */
export type InternalKind = "returned" | "dropped" | "message" | "iterated"

/**
 * Something that happens in a run and that policies can refer to, such as a tool call or a write to
 * the session state.
 */
export interface Occurrence {
  readonly kind: OccurrenceKind | InternalKind
  /**
   * Name of the tool, agent, model or session state key. For the kind `run`, it is the status of
   * the run, such as `completed`.
   */
  readonly name: string
  /**
   * Name of the agent that causes the occurrence. For a tool call, this is the agent that calls the
   * tool. Empty if no agent causes the occurrence.
   */
  readonly agent: string
  /** The running agents and open tool calls that enclose the occurrence, outermost first. */
  readonly within: readonly Frame[]
  readonly approved?: boolean
  readonly outcome?: Outcome
  readonly value?: unknown
  /**
   * The agent turn or tool call that starts or ends, or the loop whose next iteration starts. Only
   * set if `kind` is `start`, `finish`, `call`, `returned` or `iterated`.
   */
  readonly activity?: Frame
}
