import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Frame } from "../../policies/occurrence.js"
import type { ModelSignal } from "../../policies/policy.js"
import type { Control, RunEffect, WrittenValue } from "../behavior/behavior.js"
import type { FunctionRun } from "../behavior/function-steps.js"
import type { CallOutcome, CallRules, CallState } from "./call-step.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { LlmDefinition, TurnTool } from "./turn-tools.js"

/** An LlmAgent at one location in a run, with the data that is needed to explore its turns. */
export interface Turn {
  readonly agent: string
  readonly place: RunPlace
  readonly setting: Setting
  readonly definition: LlmDefinition
  readonly tools: readonly TurnTool[]
  readonly calls: CallRules
  readonly base: Pick<Occurrence, "agent" | "within">
  readonly self: Frame | undefined
  /** For each of the agent's models: the effect of a call of this model. */
  readonly modelOccurrences: readonly RunEffect[]
  /**
   * Indexes of the models that can be called first. Fallback models are only called after a
   * failure.
   */
  readonly firstModels: readonly number[]
  /**
   * For each model in `firstModels`: the results of the route conditions with which it is chosen.
   * Conditions whose result is unknown are absent.
   */
  readonly routeResults: ReadonlyMap<number, readonly RunEffect[]>
  /**
   * For each route: the results of all conditions up to this route if its condition fails with an
   * error, so that no model is called.
   */
  readonly routeFailures: readonly (readonly RunEffect[])[]
  /**
   * Whether something happens between the failure of a route's condition and the end of the turn:
   * callbacks or guardrails run, or a budget is checked.
   */
  readonly failsInCall: boolean
  /** The model call that summarizes the conversation. null: the agent has no `compaction`. */
  readonly summaryOccurrence: RunEffect | null
  /** The guardrails that check the agent's input and output. null: the agent has none. */
  readonly guards: TurnGuards | null
  readonly exactTurns: boolean
  readonly maxModelCallsPerTurn: number
  readonly asksBudget: boolean
  readonly mayPassLimit: boolean
  /**
   * How the turn can end after the configured message of an exceeded budget has replaced the
   * model's response. `effects`: a check that the model calls have reached their maximum, if the
   * search counts them.
   */
  readonly messageEnds: readonly {
    readonly signal: "done" | "exited"
    readonly effects: readonly RunEffect[]
  }[]
  /** Names of the callbacks that run after the turn. */
  readonly late: readonly string[]
  /**
   * Whether the search contains a separate state before each model call, in which the turn can end
   * or a callback can answer. Only needed if the policy can observe that the call is not made.
   */
  readonly preparesCalls: boolean
  readonly textValue: WrittenValue
  /**
   * The combinations of relevant tools that one response can call. Each list contains indexes in
   * `tools`.
   */
  readonly choices: readonly (readonly number[])[]
  /**
   * Whether the tool calls of one response are explored in several parts, because its later calls
   * can be relevant in combination with its first calls.
   */
  readonly combinesCalls: boolean
  /**
   * Keys that agents of AgentTools may write. While such an agent is running, their values are
   * treated as unknown.
   */
  readonly hiddenKeys: readonly string[]
}

/** The possible executions of the guardrails of an agent. */
export interface TurnGuards {
  /** The guardrails that run before the agent's model call, in order. */
  readonly before: readonly GuardRuns[]
  /**
   * The model calls of the guardrails that run beside the agent's model call. Both start at the
   * same time.
   */
  readonly besideCalls: readonly RunEffect[]
  /**
   * The functions that run beside the agent's model call, and the output guardrails. All of them
   * run before the response is used.
   */
  readonly later: readonly GuardRuns[]
  /**
   * Whether an output guardrail that rejects a text can cause another model call to repair the
   * text.
   */
  readonly repairs: boolean
}

/**
 * The possible executions of one guardrail. `calls`: whether it calls a model. `answers`: whether
 * it can answer in place of the model.
 */
export interface GuardRuns {
  readonly name: string
  readonly runs: readonly FunctionRun[]
  readonly calls: boolean
  readonly answers: boolean
}

/** What happens after all tool calls of a response have ended. null: the model is called again. */
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
   * Number of the turn's model calls since a person last answered. null: not counted, because the
   * maximum is too large.
   */
  readonly turnCalls: number | null
  /**
   * Index of the called model: 0 for the agent's own model, followed by its fallbacks and its
   * routes.
   */
  readonly modelIndex: number
  /**
   * Whether the next part of the exploration adds more tool calls to the current response. The
   * analysis explores the calls of one response in several parts.
   */
  readonly isContinued: boolean
  /** Keys that the turn has written, but for which the run has not emitted write events yet. */
  readonly unreported: readonly string[]
  /** Only in the phase `after`: how the turn ends, and whether it has an output text. */
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

/** Returns the state of the turn with these keys as `unreported`. */
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
