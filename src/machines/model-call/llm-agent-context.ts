import type { AgentChart } from "../contract/agent-chart.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import type { BudgetOwner } from "../contract/budget.js"
import type { ToolArguments, CallFailure, Message, ModelAnswer } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import type { Instructions } from "./instructions.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Outcome, AgentLocation, RunError } from "../contract/run-event.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"
import type { ListedTool } from "./toolset.js"
import type { TurnInput } from "../contract/turn.js"

/** The memory of one turn of an LlmAgent. Top-level fields are replaced, what they hold is never mutated. */
export interface LlmAgentContext {
  readonly input: TurnInput
  readonly definition: Extract<AgentDefinition, { type: "LlmAgent" }>
  at: number
  /** The input's state with this turn's writes above it. */
  state: SessionState
  conversation: readonly Message[]
  /** How many messages of the conversation were there before the turn. */
  readonly heard: number
  /** Ordinal of the next model call at this path. */
  calls: number
  /** Model calls since the turn began or a person last spoke. */
  turnCalls: number
  /** `maxModelCallsPerTurn` of the chart. */
  readonly maxTurnCalls: number
  attempt: number
  /** Idempotency key of the model call that is being made, the same over its attempts. */
  callKey: string
  callStartedAt: number
  retryAt: number
  failure: CallFailure | null
  /** The budget that is used up, while a person is asked whether to go on; then the call that may go on, and whose budget grows. */
  overrun: CallFailure | null
  granted: { readonly call: number; readonly to: BudgetOwner } | null
  answer: ModelAnswer | null
  toolCalls: readonly OpenCall[]
  /** How many of them have no result yet. */
  open: number
  /** Whether the parent was told that nothing moves here until a person acts. */
  paused: boolean
  request: PendingRequest | null
  text: string | null
  /**
   * The last text with which the turn paused for a user message; null: it has not paused with a
   * text. Absent in snapshots stored by earlier versions.
   */
  pausedText?: string | null
  handoffTo: string | null
  answeredByTool: boolean
  /** The model called exit_loop (adk). */
  leavesLoop: boolean
  /** A callback around the turn or a model call escalates (adk): the turn goes on, and ends as escalated. */
  escalatesAtEnd: boolean
  /** A callback around a tool call threw (adk), or a request of a call that has expired fails the run. */
  callbackError: RunError | null
  /** The system text of the call that is made, in the adk dialect. */
  instructions: Instructions | null
  /** The tools that its toolsets have listed in this turn (adk), and how many of them were asked. */
  listed: readonly ListedTool[]
  toolsetsAsked: number
  /** What the instruction services of the agent and of the root gave (adk). */
  givenInstruction: string | null
  givenGlobalInstruction: string | null
  repairs: number
  signal: Outcome | null
  error: RunError | null
}

/** One tool call of the last response, from proposal to result. */
export interface OpenCall {
  readonly id: string
  readonly tool: string
  readonly args: ToolArguments
  readonly status: "running" | "backingOff" | "waiting" | "paused" | "finished"
  readonly attempt: number
  readonly startedAt: number
  /** What the model is told. */
  readonly response: JsonObject | null
  /** What the call changed in the session state. */
  readonly set: JsonObject
  readonly removed: readonly string[]
  /** The target's text, where it ends the caller's turn. */
  readonly finalText: string | null
  /** Its function, or a callback around it, ends the turn with its result. */
  readonly skipsSummarization: boolean
  /** Its function, or a callback around it, hands the conversation to this agent when all calls are in. */
  readonly transfersTo: string | null
  /** Where the call waits for someone: a long-running result or a consent. */
  readonly request: PendingRequest | null
  readonly grantedSecret: string | null
  /** A person has approved it (`requireConfirmation`). */
  readonly confirmed: boolean
  /** What the child of the call does: host code around it, or the call itself. */
  readonly stage: "policy" | "beforeTool" | "call" | "onToolError" | "afterTool"
  /** The policies were asked. */
  readonly judged: boolean
  /** Why a policy wants a person to approve it; null: none does. */
  readonly objection: string | null
  /** The callbacks before it were called. */
  readonly preceded: boolean
  /** What it came to, while callbacks look at it. */
  readonly held: {
    readonly response: JsonObject
    readonly error: string | null
    readonly value?: unknown
  } | null
  /** Set where a run limit was reached inside the call. */
  readonly limit: RunError | null
}

const none: readonly never[] = []

export function llmAgentContext(input: TurnInput, chart: AgentChart): LlmAgentContext {
  return {
    input,
    definition: chart.agents[input.agent] as LlmAgentContext["definition"],
    at: input.at,
    state: forkState(input.state),
    conversation: input.memory?.conversation ?? input.prompt,
    heard: (input.memory?.conversation ?? input.prompt).length,
    calls: input.memory?.calls ?? 0,
    turnCalls: 0,
    maxTurnCalls: chart.settings.maxModelCallsPerTurn,
    attempt: 0,
    callKey: "",
    callStartedAt: input.at,
    retryAt: input.at,
    failure: null,
    overrun: null,
    granted: null,
    answer: null,
    toolCalls: none,
    open: 0,
    paused: false,
    request: null,
    text: null,
    handoffTo: null,
    pausedText: null,
    answeredByTool: false,
    leavesLoop: false,
    escalatesAtEnd: false,
    callbackError: null,
    instructions: null,
    listed: none,
    toolsetsAsked: 0,
    givenInstruction: null,
    givenGlobalInstruction: null,
    repairs: 0,
    signal: null,
    error: null,
  }
}

export const locationOf = (input: TurnInput): AgentLocation => ({
  agent: input.agent,
  path: input.path,
  branch: input.branch,
})

/** The key of the call that was counted last. Joined, so that it is one text in memory: a template would keep what it was made of. */
export const modelCallKey = ({ input: { runId, path }, calls }: LlmAgentContext): string =>
  [runId, "/", path, "#", calls - 1].join("")

/** Path of a tool call of the last response. The call id is the model's text: it is made safe for a header. */
export function toolCallPath(context: LlmAgentContext, call: OpenCall, index: number): string {
  const twin =
    context.toolCalls.findIndex((other) => other.id === call.id) === index ? "" : `~${index}`
  return `${context.input.path}/${toolSegment(call.id)}${twin}`
}

/** How a tool call stands in paths. */
export const toolSegment = (callId: string): string => `tool:${safeInHeader(callId).slice(0, 80)}`

const safeInHeader = (text: string): string =>
  text.replace(/[^\w.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)

/** Idempotency key of a tool call, the same over its attempts: models use one call id in several responses. */
export const toolCallKey = (context: LlmAgentContext, call: OpenCall, index: number): string =>
  `${context.input.runId}/${toolCallPath(context, call, index)}#${context.calls - 1}`
