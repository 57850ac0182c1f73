import type { AgentChart } from "../contract/agent-chart.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import type { BudgetOwner } from "../contract/budget.js"
import type {
  ToolArguments,
  CallFailure,
  Envelope,
  Message,
  ModelAnswer,
} from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import type { Instructions } from "./instructions.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Outcome, AgentLocation, RunError } from "../contract/run-event.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"
import type { SummaryCall } from "./summary-call.js"
import type { ListedTool } from "./toolset.js"
import type { TurnInput } from "../contract/turn.js"

/**
 * Context of one turn of an LlmAgent. Actions assign new values to its fields and never mutate the
 * old values.
 */
export interface LlmAgentContext {
  readonly input: TurnInput
  readonly definition: Extract<AgentDefinition, { type: "LlmAgent" }>
  at: number
  /** The session state, including the changes of this turn. */
  state: SessionState
  conversation: readonly Message[]
  /** Number of messages that the conversation contained before the turn. */
  readonly initialMessages: number
  /** Number of the agent's next model call at this path of the run. Part of the idempotency key. */
  calls: number
  /** Number of model calls since the start of the turn or since the last message from a person. */
  turnCalls: number
  /** Maximum of `turnCalls`. Comes from the chart setting `maxModelCallsPerTurn`. */
  readonly maxTurnCalls: number
  /** Number of the current attempt of the model call, counted from 1. */
  attempt: number
  /** Idempotency key of the current model call. All attempts have the same key. */
  callKey: string
  callStartedAt: number
  /**
   * Index of the current model: 0 for the agent's own model, 1 for its first fallback. The models
   * of its routes follow. Absent in snapshots of earlier versions.
   */
  modelIndex?: number
  /** Failure of a route's condition. If it is set, the call fails and no model is called. */
  routeFailure?: CallFailure | null
  /**
   * Set if the next model call replaces the last one, for example because a fallback model is
   * called. Such a call is not counted in `turnCalls`, and its model is already chosen.
   */
  fallsBack?: boolean
  retryAt: number
  /**
   * The request fields that beforeModel callbacks changed before the first attempt of the current
   * call. All attempts send these changes. Absent or null: no changes.
   */
  changedRequest?: JsonObject | null
  failure: CallFailure | null
  /** The user's memories that the model receives. Absent: none were loaded. */
  memories?: string
  /** Number of the model call before which `memories` were last loaded. */
  memoriesOf?: number
  /**
   * The failure of a call that exceeded a budget. Set while a person decides whether to extend the
   * budget.
   */
  overrun: CallFailure | null
  /**
   * Set if a person has extended a budget: the number of the model call for which it was extended,
   * and whose budget it is.
   */
  granted: { readonly call: number; readonly to: BudgetOwner } | null
  answer: ModelAnswer | null
  toolCalls: readonly OpenCall[]
  /** Number of tool calls that have no result yet. */
  open: number
  /** Whether the parent machine has been notified that this turn waits for a person. */
  paused: boolean
  request: PendingRequest | null
  text: string | null
  /**
   * The text that the agent sent to the user when the turn last paused for a user message. null if
   * there is none. Absent in snapshots of earlier versions.
   */
  pausedText?: string | null
  handoffTo: string | null
  answeredByTool: boolean
  /** Whether the model called `exit_loop` (adk). */
  leavesLoop: boolean
  /**
   * Whether a callback of the turn or of a model call escalated (adk). The turn continues, and its
   * escalation takes effect when the turn ends.
   */
  escalatesAtEnd: boolean
  /**
   * Error of a tool call's callback (adk), or of an expired request with `onExpiry: "fail"`. The
   * error fails the run.
   */
  callbackError: RunError | null
  /**
   * Instructions of the current model call. Only set in the adk dialect, and in graph-compose for
   * models that are registered by name.
   */
  instructions: Instructions | null
  /** Tools that the agent's toolsets have listed in this turn (adk). */
  listed: readonly ListedTool[]
  /** Number of toolsets that have already listed their tools. */
  toolsetsAsked: number
  /** The instruction that a host function returned (adk); null if no host function provides it. */
  hostInstruction: string | null
  /**
   * The global instruction that a host function returned (adk); null if no host function provides
   * it.
   */
  hostGlobalInstruction: string | null
  /**
   * Number of times that the model was asked to correct a text that did not match the output
   * schema.
   */
  repairs: number
  /**
   * The model call that writes a summary of the conversation. null if no summary is being written.
   * Absent in snapshots of earlier versions.
   */
  compacting?: SummaryCall | null
  /**
   * Whether the conversation was summarized because the model rejected the current call as too
   * long. Absent in snapshots of earlier versions.
   */
  shortened?: boolean
  /** Progress of the turn's guardrails. Absent: no guardrail has run yet. */
  guarding?: GuardProgress
  signal: Outcome | null
  error: RunError | null
}

/** Progress of the guardrails of a turn. */
export interface GuardProgress {
  /**
   * Number of conversation messages that the guardrails with `mode: "before"` have already checked.
   */
  readonly checked: number
  /** Index of the next input guardrail with `mode: "before"` to run. */
  readonly next: number
  /**
   * Number of conversation messages that the guardrails with `mode: "beside"` have already checked.
   */
  readonly checkedBeside: number
  /** Number of repairs since the last user message, by guardrail name. */
  readonly repairs: Readonly<Record<string, number>>
  /**
   * Result that a guardrail has set for the next model call, so that the model is not called. null:
   * the model is called.
   */
  readonly instead: Envelope<ModelAnswer> | null
}

/** A tool call from the last model response, with its progress and its result. */
export interface OpenCall {
  readonly id: string
  readonly tool: string
  readonly args: ToolArguments
  readonly status: "running" | "backingOff" | "waiting" | "paused" | "finished"
  readonly attempt: number
  readonly startedAt: number
  /** The result that the model receives; null while the call has no result. */
  readonly response: JsonObject | null
  /** Entries of the session state that the call sets. */
  readonly set: JsonObject
  /** State keys that the call removes. */
  readonly removed: readonly string[]
  /**
   * The final text of the turn, if the result of the call ends the turn (`skipSummarization`). null
   * if the turn continues.
   */
  readonly finalText: string | null
  /**
   * Whether the tool's function or a callback has set `skipSummarization`, so that the tool's
   * result ends the turn.
   */
  readonly skipsSummarization: boolean
  /**
   * Id of the agent to which the tool's function or a callback hands off the conversation when all
   * calls have finished. null if there is no handoff.
   */
  readonly transfersTo: string | null
  /**
   * The call's pending request for an approval, a long-running result or a consent; null if it has
   * none.
   */
  readonly request: PendingRequest | null
  readonly grantedSecret: string | null
  /** Whether a person has approved the call (`requireConfirmation`). */
  readonly isConfirmed: boolean
  /**
   * The current step of the call, which a child actor executes: the policies, the call itself, or
   * the callbacks before the call, after it or on its error.
   */
  readonly stage: "policy" | "beforeTool" | "call" | "onToolError" | "afterTool"
  /** Whether the policies have decided on the call. */
  readonly isJudged: boolean
  /** The reason why a policy requires an approval; null if no policy requires one. */
  readonly objection: string | null
  /** Whether the callbacks before the call have already run. */
  readonly haveHooksRun: boolean
  /** The result of the call. Only set while the callbacks after the call run. */
  readonly result: {
    readonly response: JsonObject
    readonly error: string | null
    readonly value?: unknown
  } | null
  /** The error of a run limit that was reached inside the call; null if no limit was reached. */
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
    initialMessages: (input.memory?.conversation ?? input.prompt).length,
    calls: input.memory?.calls ?? 0,
    turnCalls: 0,
    maxTurnCalls: chart.settings.maxModelCallsPerTurn,
    attempt: 0,
    callKey: "",
    callStartedAt: input.at,
    modelIndex: 0,
    fallsBack: false,
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
    hostInstruction: null,
    hostGlobalInstruction: null,
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
 * Returns the idempotency key of the current model call. Uses `join` because it creates a flat
 * string. A template literal would keep its parts in memory.
 */
export const modelCallKey = ({ input: { runId, path }, calls }: LlmAgentContext): string =>
  [runId, "/", path, "#", calls - 1].join("")

/**
 * Returns the path of a tool call from the last response. The call id comes from the model, so it
 * is escaped for use in HTTP headers.
 */
export function toolCallPath(context: LlmAgentContext, call: OpenCall, index: number): string {
  const duplicate =
    context.toolCalls.findIndex((other) => other.id === call.id) === index ? "" : `~${index}`
  return `${context.input.path}/${toolSegment(call.id)}${duplicate}`
}

/** Returns the segment of a path that identifies a tool call. */
export const toolSegment = (callId: string): string => `tool:${safeInHeader(callId).slice(0, 80)}`

const safeInHeader = (text: string): string =>
  text.replace(/[^\w.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)

/**
 * Returns the idempotency key of a tool call, which is the same for all attempts. The key contains
 * the number of the model call, because models can use a call id again in a later response.
 */
export const toolCallKey = (context: LlmAgentContext, call: OpenCall, index: number): string =>
  `${context.input.runId}/${toolCallPath(context, call, index)}#${context.calls - 1}`
