import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect } from "../behavior/behavior.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/**
 * The stage of one tool call. Policy engines decide (`judged`), a person is asked (`confirming`),
 * or callbacks run before (`before`) or after (`later`) the call. `atWork` means that the tool is
 * executing, `pending` that the result follows later, and `done` that the call has ended.
 */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface CallState {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  /**
   * Whether the tool was executed. False if the call has not started or was rejected, or if a
   * callback returned a result in place of the tool.
   */
  readonly made: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/** The effects of finished tool calls on the turn, for example that the agent escalates. */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/**
 * A step of one tool call in the model checker, with the next state of the call and its effect on
 * the turn.
 */
export interface CallStep {
  readonly effects: readonly RunEffect[]
  readonly call: CallState
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The rules for the start and the steps of an agent's tool calls. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /**
   * Returns the first steps of a new tool call. `slot` is the index of the call in the model
   * response, from 0. `approved` is true if a person has approved the calls of the response.
   */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: CallState, slot: number): readonly CallStep[]
  waits(call: CallState, slot: number): boolean
}

/**
 * The agent that makes tool calls, with the data that the model checker needs to explore the calls.
 */
export interface ToolCaller {
  readonly agent: string
  readonly location: NestedLocation
  readonly setting: Setting
  /**
   * Returns the transition system of the agent that an AgentTool runs. `slot` is the index of the
   * call in the model response, which distinguishes simultaneous calls.
   */
  targetOf(tool: TurnTool, slot: number): Behavior
  /**
   * Returns the fields that are the same in all events of one tool call, such as the tool name.
   * `slot` is the index of the call in the model response.
   */
  about(tool: TurnTool, slot: number): Omit<Occurrence, "kind">
}

/** One tool call of a model response, with the agent that makes the call. */
export interface ToolCallContext {
  readonly caller: ToolCaller
  readonly tool: TurnTool
  /** Index of this tool call in the model response, from 0. */
  readonly slot: number
  readonly call: CallState
}

/**
 * An unfinished step of a tool call in the model checker. It contains the effects of the step and
 * its description (`does`), but not the next stage of the call.
 */
export interface CallProgress extends ToolCallContext {
  readonly effects: readonly RunEffect[]
  readonly records: number
  readonly does: string | null
}

/**
 * Returns an unfinished step of a tool call. The step adds one journal record and applies `changes`
 * to the state of the call. Use `callStep` to complete it and to set the next stage of the call.
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
 * Completes a step of a tool call. `changes` are applied to the state of the call, for example to
 * set its next stage.
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
