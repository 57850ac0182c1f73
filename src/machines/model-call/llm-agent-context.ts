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

/** Context of one turn of an LlmAgent. Actions replace its fields and never mutate their values. */
export interface LlmAgentContext {
  readonly input: TurnInput
  readonly definition: Extract<AgentDefinition, { type: "LlmAgent" }>
  at: number
  /** The session state with the changes of this turn. */
  state: SessionState
  conversation: readonly Message[]
  /** Number of messages in the conversation before the turn. */
  readonly heard: number
  /** Ordinal of the next model call at this path. */
  calls: number
  /** Number of model calls since the start of the turn or the last message of a person. */
  turnCalls: number
  /** `maxModelCallsPerTurn` of the chart. */
  readonly maxTurnCalls: number
  /** Number of the current attempt of the model call, counted from 1. */
  attempt: number
  /** Idempotency key of the current model call, the same for all attempts. */
  callKey: string
  callStartedAt: number
  retryAt: number
  failure: CallFailure | null
  /** The failure of a call that exceeded a budget, while a person decides whether to extend it. */
  overrun: CallFailure | null
  /** The call that may continue after a person extended a budget, and the owner of the budget. */
  granted: { readonly call: number; readonly to: BudgetOwner } | null
  answer: ModelAnswer | null
  toolCalls: readonly OpenCall[]
  /** Number of tool calls without a result. */
  open: number
  /** Whether the parent knows that this turn waits for a person. */
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
  /** Whether the model called `exit_loop` (adk). */
  leavesLoop: boolean
  /**
   * Whether a callback of the turn or of a model call escalated (adk). The turn continues and then
   * ends as escalated.
   */
  escalatesAtEnd: boolean
  /**
   * Error of a callback of a tool call (adk), or of an expired request with `onExpiry: "fail"`. It
   * fails the run.
   */
  callbackError: RunError | null
  /** Instructions of the current model call: in adk, and for models by name. */
  instructions: Instructions | null
  /** The tools that the toolsets of the agent listed in this turn (adk). */
  listed: readonly ListedTool[]
  /** Number of toolsets that have listed their tools. */
  toolsetsAsked: number
  /** The instruction that a host function returned (adk); null if there is no such function. */
  givenInstruction: string | null
  /** The global instruction that a host function returned (adk). */
  givenGlobalInstruction: string | null
  /** Number of requests to correct a text that violated the output schema. */
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
  /** The result that the model receives; null while the call is open. */
  readonly response: JsonObject | null
  /** State keys that the call writes. */
  readonly set: JsonObject
  /** State keys that the call removes. */
  readonly removed: readonly string[]
  /**
   * The text that ends the turn of the calling agent (`skipSummarization`); null if the turn
   * continues.
   */
  readonly finalText: string | null
  /** Whether its function or a callback ends the turn with its result. */
  readonly skipsSummarization: boolean
  /**
   * Agent to which its function or a callback transfers the conversation when all calls are
   * finished.
   */
  readonly transfersTo: string | null
  /** The pending request of the call: an approval, a long-running result or a consent. */
  readonly request: PendingRequest | null
  readonly grantedSecret: string | null
  /** Whether a person approved the call (`requireConfirmation`). */
  readonly confirmed: boolean
  /** What the child actor of the call runs: the call itself, a policy or callbacks. */
  readonly stage: "policy" | "beforeTool" | "call" | "onToolError" | "afterTool"
  /** Whether the policies have decided. */
  readonly judged: boolean
  /** Why a policy requires an approval; null if no policy does. */
  readonly objection: string | null
  /** Whether the callbacks before the call have run. */
  readonly preceded: boolean
  /** The result of the call while its callbacks run. */
  readonly held: {
    readonly response: JsonObject
    readonly error: string | null
    readonly value?: unknown
  } | null
  /** Set if a limit of the run was reached inside the call. */
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

/**
 * Returns the idempotency key of the current model call. `join` creates a flat string. A template
 * would keep its parts in memory.
 */
export const modelCallKey = ({ input: { runId, path }, calls }: LlmAgentContext): string =>
  [runId, "/", path, "#", calls - 1].join("")

/**
 * Returns the path of a tool call of the last response. The model chooses the call id, so it is
 * escaped for use in headers.
 */
export function toolCallPath(context: LlmAgentContext, call: OpenCall, index: number): string {
  const twin =
    context.toolCalls.findIndex((other) => other.id === call.id) === index ? "" : `~${index}`
  return `${context.input.path}/${toolSegment(call.id)}${twin}`
}

/** Returns the path segment of a tool call. */
export const toolSegment = (callId: string): string => `tool:${safeInHeader(callId).slice(0, 80)}`

const safeInHeader = (text: string): string =>
  text.replace(/[^\w.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)

/**
 * Returns the idempotency key of a tool call, the same for all attempts. It contains the number of
 * the model call, because models can use a call id in several responses.
 */
export const toolCallKey = (context: LlmAgentContext, call: OpenCall, index: number): string =>
  `${context.input.runId}/${toolCallPath(context, call, index)}#${context.calls - 1}`
