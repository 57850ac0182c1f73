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
 * A running agent or an open tool call that encloses an occurrence, such as another tool call. Ids
 * are unique among the agents and tool calls that can be active at the same time.
 */
export interface Frame {
  readonly id: string
  readonly agent: string | null
  readonly tool: string | null
}

/**
 * Kinds of occurrences in a run that policy files cannot contain. `returned` means that a tool call
 * has ended, with a result or an error. `dropped` means that all agents and tool calls whose id
 * begins with `name` have ended. `message` starts an invocation, and `iterated` the next iteration
 * of a loop.
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
   * Name of the agent that causes the occurrence, for example calls the tool. Empty if no agent
   * causes it.
   */
  readonly agent: string
  /** The running agents and open tool calls that enclose the occurrence, outermost first. */
  readonly within: readonly Frame[]
  readonly approved?: boolean
  readonly outcome?: Outcome
  readonly value?: unknown
  /**
   * The agent turn or tool call that begins, ends or iterates. Only set for `start`, `finish`,
   * `call`, `returned` and `iterated`.
   */
  readonly activity?: Frame
}
