import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect } from "../behavior/behavior.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/**
 * The stage of one tool call. `judged`: policy engines decide. `confirming`: a person is asked.
 * `before`, `later`: callbacks run before or after the call. `atWork`: the tool is executing.
 * `pending`: the result follows later. `done`: the call has ended.
 */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface CallState {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  /**
   * Whether the tool was called. false: the call has not started, was refused, or a callback has
   * answered in place of the tool.
   */
  readonly made: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/**
 * The effects of finished tool calls on the rest of the turn, for example that the agent escalates.
 */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/** A step of one tool call: the next state of the call, and its effect on the turn. */
export interface CallStep {
  readonly effects: readonly RunEffect[]
  readonly call: CallState
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The rules by which the tool calls of one agent begin and continue. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /**
   * Returns the first steps of a new tool call. `slot`: index of the call in the model response.
   * `approved`: whether a person approved this response.
   */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: CallState, slot: number): readonly CallStep[]
  waits(call: CallState, slot: number): boolean
}

/** The agent that makes tool calls, and the data that its calls need for the exploration. */
export interface ToolCaller {
  readonly agent: string
  readonly place: RunPlace
  readonly setting: Setting
  /**
   * Returns the transition system of the agent that an AgentTool runs. `slot`: index of the call in
   * its response, which distinguishes simultaneous calls.
   */
  targetOf(tool: TurnTool, slot: number): Behavior
  /** Returns the fields that are the same in all occurrences of a call, such as the tool's name. */
  about(tool: TurnTool, slot: number): Omit<Occurrence, "kind">
}

/** One tool call of a response, with the agent that makes it. */
export interface ToolCallContext {
  readonly caller: ToolCaller
  readonly tool: TurnTool
  /** Index of the call in its response. */
  readonly slot: number
  readonly call: CallState
}

/**
 * A step of a tool call whose next stage is not determined yet: its effects and description so far.
 */
export interface CallProgress extends ToolCallContext {
  readonly effects: readonly RunEffect[]
  readonly records: number
  readonly does: string | null
}

/**
 * Returns a step of a tool call that adds one journal record and whose next stage is not determined
 * yet.
 */
export const afterRecord = (
  context: ToolCallContext,
  changes: Partial<CallState>,
  effects: readonly RunEffect[],
  does: string | null,
): CallProgress => ({
  ...context,
  call: { ...context.call, ...changes },
  effects,
  records: 1,
  does,
})

/**
 * Completes a step of a tool call. `changes` are applied to the state of the call, for example its
 * next stage.
 */
export const callStep = (
  { caller, call, effects, records, does }: CallProgress,
  changes: Partial<CallState>,
  outcome: Partial<CallOutcome> = {},
): CallStep => ({
  effects,
  call: { ...call, ...changes },
  outcome,
  records,
  does,
  agent: caller.agent,
})
