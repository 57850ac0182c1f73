import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect } from "../behavior/behavior.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/**
 * The stage of one tool call. `judged`: policy engines decide. `confirming`: a person is asked.
 * `before`, `later`: callbacks run before or after the call. `atWork`: it is executing. `pending`:
 * its result follows later. `done`: it has ended.
 */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface CallState {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  /** Whether the call was made. A callback can answer in place of the tool. */
  readonly made: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/** How finished calls affect the end of the turn. */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/** A step of one call: the next state of the call and its effect on the turn. */
export interface CallStep {
  readonly effects: readonly RunEffect[]
  readonly call: CallState
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The transition system of the tool calls of one agent. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /**
   * Returns the first steps of a new call. `slot`: its index in the response. `approved`: whether a
   * person approved the response with this call.
   */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: CallState, slot: number): readonly CallStep[]
  waits(call: CallState, slot: number): boolean
}

/** The agent that makes tool calls, and what its calls need for the exploration. */
export interface ToolCaller {
  readonly agent: string
  readonly place: RunPlace
  readonly setting: Setting
  /**
   * Returns the transition system of the agent that an AgentTool runs. Simultaneous calls have
   * different slots.
   */
  targetOf(tool: TurnTool, slot: number): Behavior
  /** Returns the fields that all occurrences of a call share. */
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

/** The effects of a step of a call whose next stage is not determined yet. */
export interface CallProgress extends ToolCallContext {
  readonly effects: readonly RunEffect[]
  readonly records: number
  readonly does: string | null
}

/** Returns the progress of a call after a step with one journal record. */
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

/** Completes a step of a call with its next stage. */
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
