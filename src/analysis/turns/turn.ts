import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Frame } from "../../policies/occurrence.js"
import type { ModelSignal } from "../../policies/policy.js"
import type { Control, RunEffect, WrittenValue } from "../behavior/behavior.js"
import type { FunctionRun } from "../behavior/function-steps.js"
import type { CallOutcome, CallRules, CallState } from "./call-step.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import type { LlmDefinition, TurnTool } from "./turn-tools.js"

/**
 * The data that the model checker needs to explore the turns of an LlmAgent at one location in a
 * run.
 */
export interface Turn {
  readonly agent: string
  readonly location: NestedLocation
  readonly setting: Setting
  readonly definition: LlmDefinition
  readonly tools: readonly TurnTool[]
  readonly calls: CallRules
  readonly base: Pick<Occurrence, "agent" | "within">
  readonly self: Frame | undefined
  /**
   * For each model of the agent, the effect that reports a call of this model to the policy as an
   * event.
   */
  readonly modelOccurrences: readonly RunEffect[]
  /**
   * Indexes of the models that can be called first. Fallback models are only called after a
   * failure.
   */
  readonly firstModels: readonly number[]
  /**
   * For each model in `firstModels`, the condition results with which this model is selected.
   * Conditions whose result is unknown are absent.
   */
  readonly routeResults: ReadonlyMap<number, readonly RunEffect[]>
  /**
   * Used if a condition that selects a model fails with an error, so that no model is called. For
   * each such condition, contains the results of all earlier conditions, followed by the error.
   */
  readonly routeFailures: readonly (readonly RunEffect[])[]
  /**
   * Whether more steps follow before the turn ends, if a condition that selects the model fails.
   * These steps run callbacks or guardrails, or check a budget.
   */
  readonly failsInCall: boolean
  /**
   * The effect that reports the model call that summarizes a long conversation to the policy. null
   * if the agent has no `compaction`.
   */
  readonly summaryOccurrence: RunEffect | null
  /** The guardrails that check the agent's input and output texts. null if the agent has none. */
  readonly guards: TurnGuards | null
  readonly exactTurns: boolean
  readonly maxModelCallsPerTurn: number
  readonly asksBudget: boolean
  readonly mayPassLimit: boolean
  /**
   * How the turn can end if the budget is exceeded and a configured message replaces the model's
   * response. If the model checker counts model calls, `effects` can contain a check that their
   * maximum is reached.
   */
  readonly messageEnds: readonly {
    readonly signal: "done" | "exited"
    readonly effects: readonly RunEffect[]
  }[]
  /** Names of the host functions that run as callbacks after the agent's turn. */
  readonly late: readonly string[]
  /**
   * Whether the model checker uses a separate state before each model call. In this state, the turn
   * can end or a callback can answer. Only needed if the policy can observe that the call is not
   * made.
   */
  readonly preparesCalls: boolean
  readonly textValue: WrittenValue
  /**
   * The combinations of tools that one model response can call, as indexes in `tools`. For example,
   * `[0, 0, 1]` calls the first tool twice and the second tool once. `tools` contains only tools
   * that are relevant to the policy.
   */
  readonly choices: readonly (readonly number[])[]
  /**
   * Whether the model checker splits the tool calls of one response into groups. This is needed if
   * later calls can be relevant in combination with the first calls.
   */
  readonly combinesCalls: boolean
  /**
   * Session state keys that the agents of AgentTools can write. While such an agent is running, it
   * can change these keys at any time, so their values count as unknown.
   */
  readonly hiddenKeys: readonly string[]
}

/** The possible executions of the guardrails (checks of input and output texts) of an agent. */
export interface TurnGuards {
  /** The guardrails that run before the agent's model call, in order. */
  readonly before: readonly GuardRuns[]
  /**
   * The model calls of the guardrails that run in parallel to the agent's model call. They start
   * together with the agent's call.
   */
  readonly besideCalls: readonly RunEffect[]
  /**
   * The guardrail functions that run in parallel to the agent's model call, followed by the output
   * guardrails. All of them run before the response is used.
   */
  readonly later: readonly GuardRuns[]
  /**
   * Whether an output guardrail that rejects a text can request a repair, which is another model
   * call.
   */
  readonly repairs: boolean
}

/**
 * A guardrail with its possible executions (`runs`). `calls` is true if the guardrail calls a
 * model. `answers` is true if it can replace the response of the agent's model.
 */
export interface GuardRuns {
  readonly name: string
  readonly runs: readonly FunctionRun[]
  readonly calls: boolean
  readonly answers: boolean
}

/**
 * The next event of a turn after all tool calls of a response have ended. `user` means that the
 * agent waits for the user. null means that the model is called again.
 */
export type Continuation = "exited" | "escalated" | "user" | { readonly transfersTo: string } | null

export interface TurnControl extends Control {
  readonly phase:
    | "before"
    | "guarding"
    | "preparing"
    | "asking"
    | "approving"
    | "calling"
    | "user"
    | "budget"
    | "after"
  readonly calls: readonly CallState[]
  readonly following: Continuation
  readonly outcome: CallOutcome
  /**
   * Number of the turn's model calls since the last answer of a person. null if
   * `maxModelCallsPerTurn` is too large to count exactly.
   */
  readonly turnCalls: number | null
  /**
   * Index of the called model. 0 is the agent's own model, followed by its fallback models and the
   * models that conditions select.
   */
  readonly modelIndex: number
  /**
   * Whether the next step adds more tool calls to the current model response, instead of a new
   * response. The model checker explores the calls of one response in several groups.
   */
  readonly isContinued: boolean
  /**
   * Session state keys that the turn has written, but for which the run has not emitted write
   * events yet.
   */
  readonly unreported: readonly string[]
  /**
   * How the turn will end, and whether it has an output text. Only set in the phase `after`, in
   * which callbacks run before the turn ends. Otherwise null.
   */
  readonly ending: {
    readonly signal: Outcome
    readonly writes: boolean
    readonly answered: boolean
  } | null
}

export const nothingDecided: CallOutcome = {
  escalates: false,
  answered: false,
  transfersTo: null,
  failed: false,
  limited: false,
}

export const control = (
  phase: TurnControl["phase"],
  turnCalls: number | null,
  changes: Partial<Omit<TurnControl, "key" | "phase" | "turnCalls">> = {},
): TurnControl => {
  const {
    calls: open = [],
    following = null,
    outcome = nothingDecided,
    ending = null,
    isContinued = false,
    modelIndex = 0,
  } = changes
  const parts = [
    phase,
    open.map(({ tool, stage, approved, made, inner, result }) => [
      tool,
      stage,
      (approved ? 1 : 0) + (stage === "later" && made ? 2 : 0),
      inner?.key ?? "",
      result,
    ]),
    following,
    outcome === nothingDecided ? 0 : Object.values(outcome),
    turnCalls,
    ending,
    isContinued,
    modelIndex,
  ]
  return {
    key: JSON.stringify(parts),
    phase,
    calls: open,
    following,
    outcome,
    turnCalls,
    unreported: [],
    ending,
    isContinued,
    modelIndex,
  }
}

/**
 * Returns the state of the turn with a new list `unreported`. The list contains the written keys
 * for which the run has not emitted a write event yet.
 */
export const withUnreported = (state: TurnControl, unreported: readonly string[]): TurnControl =>
  unreported.length === 0
    ? state
    : { ...state, key: `${state.key} ${JSON.stringify(unreported)}`, unreported }

export const allows = (turn: Turn, signal: ModelSignal): boolean => turn.setting.signals.has(signal)

export const toolNames = ({ tools }: Turn, chosen: readonly number[]): readonly string[] =>
  chosen.map((tool) => tools[tool]?.name ?? "")

export const namesOf = (turn: Turn, chosen: readonly number[]): string =>
  toolNames(turn, chosen).join(" and ")

export const merge = (one: CallOutcome, other: Partial<CallOutcome>): CallOutcome => {
  const merged: CallOutcome = {
    escalates: one.escalates || other.escalates === true,
    answered: one.answered || other.answered === true,
    transfersTo: one.transfersTo ?? other.transfersTo ?? null,
    failed: one.failed || other.failed === true,
    limited: one.limited || other.limited === true,
  }
  return Object.values(merged).some((value) => value !== false && value !== null)
    ? merged
    : nothingDecided
}
