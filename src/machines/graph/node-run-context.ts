import type { ChartGraphNode } from "../contract/chart-graph.js"
import type { JsonObject } from "../data/json-object.js"
import type { History } from "../contract/history.js"
import type { Message } from "../contract/services.js"
import type { AgentLocation, NodeFailure, Outcome, RunError } from "../contract/run-event.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import { emptyPatch } from "../data/session-state.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { textOfContent } from "../contract/user-content.js"
import type { NodeQuestion, NodeValue } from "./node-result.js"

/**
 * Input of one run of a graph node. `inputValue` is the input of the node. It is absent for the
 * root graph, which receives the prompt of the run.
 */
export type NodeRunInput = TurnInput & {
  readonly node: ChartGraphNode
  readonly inputValue?: NodeValue
  /**
   * Set if the input of the node is the user's message, which the session history already contains.
   */
  readonly isFirst?: boolean
  /**
   * Set if an outgoing edge of the node has a route. The result of the node then determines which
   * routes are followed.
   */
  readonly choosesRoute?: boolean
  /**
   * If set, the model signal `exitFlow` in the node ends only the turn of the node. If absent, it
   * ends the graph.
   */
  readonly subAgentExitFlow?: "agent"
  /** The last outputs of the other nodes of the graph, by node id. Instructions can read them. */
  readonly outputs?: JsonObject
}

/** The result of one attempt to run a graph node. A failed attempt can be followed by another. */
export interface AttemptTurn extends NodeValue {
  readonly signal: Outcome
  readonly route?: unknown
  readonly isShown?: true
  readonly patch: StatePatch
  readonly newEntries: History
  readonly questions: readonly NodeQuestion[]
  readonly failure: NodeFailure | null
  readonly error: RunError | null
  readonly at: number
}

export type NodeRunOutput = TurnOutput & {
  readonly result: NodeValue
  /** The route that the node chose. null if it chose none. */
  readonly route: unknown
  readonly failure: NodeFailure | null
}

export interface NodeRunContext {
  readonly input: NodeRunInput
  at: number
  /** The session state. Includes the changes that callbacks and earlier attempts of the node made. */
  state: SessionState
  attempt: number
  /** Start time of the node's next attempt, in milliseconds since the epoch. */
  dueAt: number
  turn: AttemptTurn | null
  /** Answers of people to the questions of earlier attempts, by question id. */
  answers: JsonObject
  /** Number of questions that the node has asked people so far. */
  questionCount: number
  open: readonly PendingRequest[]
  result: Pick<AttemptTurn, "value" | "route" | "isShown"> | null
  newEntries: History
  failure: NodeFailure | null
  error: RunError | null
  signal: Outcome | null
}

export const locationOfRun = ({ input }: NodeRunContext): AgentLocation => ({
  agent: input.node.id,
  path: input.path,
  branch: input.branch,
})

/**
 * Returns the input of the first nodes of a graph, which is the text of the user's last message. If
 * the message has no text, returns its parts.
 */
export function inputValueOf(prompt: readonly Message[]): NodeValue {
  const message = prompt.findLast(({ role }) => role === "user")
  if (message?.role !== "user") return {}
  const { content } = message
  const hasText = typeof content === "string" || content.some((part) => "text" in part)
  return {
    value: hasText
      ? textOfContent(
          typeof content === "string" ? content : content.filter((part) => "text" in part),
        )
      : { role: "user", parts: content },
  }
}

export const runErrorFrom = (
  { input }: NodeRunContext,
  { name, message }: NodeFailure,
): RunError => ({
  code: errorCodes[name] ?? "host_code_failed",
  agent: input.node.id,
  message,
})

const errorCodes: Readonly<Record<string, RunError["code"]>> = {
  NodeTimeoutError: "service_timeout",
  NodeSchemaValidationError: "schema_violated",
  StateSchemaError: "schema_violated",
}

export const nodeFailure = (
  context: NodeRunContext,
  failure: NodeFailure,
  error: RunError | null = null,
): AttemptTurn => ({
  signal: "failed",
  patch: emptyPatch,
  newEntries: [],
  questions: [],
  failure,
  error: error === null ? runErrorFrom(context, failure) : { ...error, message: failure.message },
  at: context.at,
})
