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
  /** Session state, including the changes of this turn. */
  state: SessionState
  conversation: readonly Message[]
  /** Number of messages that the conversation contained at the start of the turn. */
  readonly initialMessages: number
  /** Number of model calls of the agent at this path so far. Part of the idempotency keys. */
  calls: number
  /** Number of model calls since the start of the turn or the last message from a person. */
  turnCalls: number
  /** Maximum of `turnCalls`, from the chart setting `maxModelCallsPerTurn`. */
  readonly maxTurnCalls: number
  /** Number of the current attempt of the model call. The first attempt is 1. */
  attempt: number
  /** Idempotency key of the current model call, which is the same for all attempts. */
  callKey: string
  callStartedAt: number
  /**
   * Index of the current model: 0 for the agent's own model, then its fallbacks from 1 on, then the
   * models of its routes. Absent in snapshots of earlier versions.
   */
  modelIndex?: number
  /** Failure of a route's condition. If it is set, the call fails and no model is called. */
  routeFailure?: CallFailure | null
  /**
   * Set if the next model call replaces the last call, for example with a call of a fallback model.
   * The model of such a call is already chosen. It does not increase `turnCalls`.
   */
  fallsBack?: boolean
  retryAt: number
  /**
   * Request fields that `beforeModel` callbacks changed before the first attempt of the current
   * call. All attempts send these changes. Absent or null if there are no changes.
   */
  changedRequest?: JsonObject | null
  failure: CallFailure | null
  /** Memories of the user that the model receives. Absent if none were loaded. */
  memories?: string
  /** Value of `calls` when `memories` were last loaded. Prevents a second load before a call. */
  memoriesOf?: number
  /**
   * Failure of a call because a budget is exceeded. Set while the run asks a person whether to
   * extend the budget.
   */
  overrun: CallFailure | null
  /**
   * Set if a person has extended a budget. Contains the number of the model call for which it was
   * extended, and whether it is the budget of the run or of the agent.
   */
  granted: { readonly call: number; readonly to: BudgetOwner } | null
  answer: ModelAnswer | null
  toolCalls: readonly OpenCall[]
  /** Number of tool calls that have no result yet. */
  open: number
  /** Whether the parent machine was notified that this turn waits for a person. */
  paused: boolean
  request: PendingRequest | null
  text: string | null
  /**
   * The last text that the agent had sent when the turn waited for a user message. If the turn ends
   * without a text, its output contains this text. null if there is none. Absent in snapshots of
   * earlier versions.
   */
  pausedText?: string | null
  handoffTo: string | null
  answeredByTool: boolean
  /** Whether `exit_loop` or another tool escalated, which ends the loops that contain the agent. */
  leavesLoop: boolean
  /**
   * Whether a callback of the turn or of a model call escalated. The turn continues, and the
   * escalation takes effect when it ends.
   */
  escalatesAtEnd: boolean
  /**
   * Error with which a tool call fails the run. It is the error of a callback, or of a request that
   * expired with `onExpiry: "fail"`.
   */
  callbackError: RunError | null
  /**
   * Instructions of the current model call. Set only in the adk dialect, and in graph-compose for
   * models that are registered by name.
   */
  instructions: Instructions | null
  /** Tools that the agent's toolsets have listed, with their declarations, in this turn. */
  listed: readonly ListedTool[]
  /** Number of the agent's toolsets whose tools were listed in this turn. */
  toolsetsAsked: number
  /** The instruction that a host function returned. null without such a function. */
  hostInstruction: string | null
  /** The global instruction that a host function returned. null without such a function. */
  hostGlobalInstruction: string | null
  /**
   * Number of times that the model was asked to correct a text that did not match the output
   * schema.
   */
  repairs: number
  /**
   * The model call that is writing a summary of the conversation, or null. Absent in snapshots of
   * earlier versions.
   */
  compacting?: SummaryCall | null
  /**
   * Whether the conversation was summarized because the model rejected the current call as too
   * long. Absent in snapshots of earlier versions.
   */
  shortened?: boolean
  /** Progress of the turn's guardrails. Absent if no guardrail has run yet. */
  guarding?: GuardProgress
  signal: Outcome | null
  error: RunError | null
}

/** Progress of the guardrails that check the input and the final texts of a turn. */
export interface GuardProgress {
  /** Number of messages that the guardrails before the model call (`mode: "before"`) checked. */
  readonly checked: number
  /** Index of the next guardrail that runs before the model call (`mode: "before"`). */
  readonly next: number
  /** Number of messages that the guardrails during the model call (`mode: "beside"`) checked. */
  readonly checkedBeside: number
  /**
   * Number of texts that the model had to correct since the last user message, by guardrail name.
   */
  readonly repairs: Readonly<Record<string, number>>
  /**
   * Result that a guardrail has set for the next model call. If it is null, the model is called.
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
  /** The result that the model receives. null while the call has no result. */
  readonly response: JsonObject | null
  /** Session state entries that the tool call sets. */
  readonly set: JsonObject
  /** Session state keys that the tool call removes. */
  readonly removed: readonly string[]
  /**
   * Final text of the turn, if the result of the call ends the turn (`skipSummarization`). null if
   * the turn continues.
   */
  readonly finalText: string | null
  /**
   * Whether the tool's function or a callback has set `skipSummarization`. The result of the tool
   * then ends the turn.
   */
  readonly skipsSummarization: boolean
  /**
   * Id of the agent that receives the conversation after all calls, as the tool's function or a
   * callback requested. null if there is no handoff.
   */
  readonly transfersTo: string | null
  /** Pending request of the call for an approval, a long-running result or a consent, or null. */
  readonly request: PendingRequest | null
  readonly grantedSecret: string | null
  /** Whether a person has approved the call (`requireConfirmation`). */
  readonly isConfirmed: boolean
  /**
   * The stage of the tool call that a child actor is executing. The stages are the policies, the
   * callbacks before the call, the call itself, and the callbacks after it or on its error.
   */
  readonly stage: "policy" | "beforeTool" | "call" | "onToolError" | "afterTool"
  /** Whether the policy engines have decided whether the call is allowed. */
  readonly isJudged: boolean
  /** The reason why a policy requires a person to approve the tool call. null if none does. */
  readonly objection: string | null
  /** Whether the `beforeTool` callbacks of the tool call have already run. */
  readonly haveHooksRun: boolean
  /** The result of the call, which exists only while the callbacks after the call run. */
  readonly result: {
    readonly response: JsonObject
    readonly error: string | null
    readonly value?: unknown
  } | null
  /** Error of a run limit that an agent in the tool call has reached, or null. */
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
 * Returns the idempotency key of the current model call, such as `r1/desk#0`. `join` creates a flat
 * string. A template literal would keep its parts in memory.
 */
export const modelCallKey = ({ input: { runId, path }, calls }: LlmAgentContext): string =>
  [runId, "/", path, "#", calls - 1].join("")

/**
 * Returns the path of a tool call from the last response, such as `desk/tool:call_0_0`. The call id
 * comes from the model, so it is escaped for use in HTTP headers.
 */
export function toolCallPath(context: LlmAgentContext, call: OpenCall, index: number): string {
  const duplicate =
    context.toolCalls.findIndex((other) => other.id === call.id) === index ? "" : `~${index}`
  return `${context.input.path}/${toolSegment(call.id)}${duplicate}`
}

/** Returns the last segment of a tool call's path, such as `tool:call_0_0`. */
export const toolSegment = (callId: string): string => `tool:${safeInHeader(callId).slice(0, 80)}`

const safeInHeader = (text: string): string =>
  text.replace(/[^\w.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)

/**
 * Returns the idempotency key of a tool call, such as `r1/desk/tool:call_0_0#0`. All attempts have
 * this key. It contains the number of the model call, because models can reuse call ids.
 */
export const toolCallKey = (context: LlmAgentContext, call: OpenCall, index: number): string =>
  `${context.input.runId}/${toolCallPath(context, call, index)}#${context.calls - 1}`
