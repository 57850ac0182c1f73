import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect } from "../behavior/behavior.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/** The stage of one call of a response. */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface CallState {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/** The effects of finished calls on the end of the turn. */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/** A step of one call: its next stage or its end, and its effect on the turn. */
export interface CallStep {
  readonly effects: readonly RunEffect[]
  readonly call: CallState
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The behavior of the tool calls of one agent. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /**
   * Returns the initial stages of a new call. `approved`: a person approved the call together with
   * the response.
   */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: CallState, slot: number): readonly CallStep[]
  waits(call: CallState, slot: number): boolean
}

/** The agent that makes calls, and the parameters of its calls. */
export interface ToolCaller {
  readonly agent: string
  readonly place: RunPlace
  readonly setting: Setting
  /** Returns the behavior of an AgentTool's target. Simultaneous calls have different slots. */
  targetOf(tool: TurnTool, slot: number): Behavior
  /** Returns the common fields of all occurrences of a call. */
  about(tool: TurnTool, slot: number): Omit<Occurrence, "kind">
}

/** One call of a response: its agent, its tool and its position. */
export interface ToolCallContext {
  readonly caller: ToolCaller
  readonly tool: TurnTool
  /** Number of the call in its response. */
  readonly slot: number
  readonly call: CallState
}

/** The effects of one step of a call whose next stage is not known yet. */
export interface CallProgress extends ToolCallContext {
  readonly effects: readonly RunEffect[]
  readonly records: number
  readonly does: string | null
}

/** Returns the progress of a call after one journal record. */
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
