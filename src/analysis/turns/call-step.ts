import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect } from "../behavior/behavior.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/** Where one call of a response is. */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface CallState {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/** What calls have decided about the end of the turn. */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/** A step of one call: its next stage, or its end, and what it decides about the turn. */
export interface CallStep {
  readonly effects: readonly RunEffect[]
  readonly call: CallState
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The behavior of the calls of one agent's turns. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /** Returns the first stages of a new call. `approved`: a person approved it with the response. */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: CallState, slot: number): readonly CallStep[]
  waits(call: CallState, slot: number): boolean
}

/** The agent that makes calls, and what its calls need to know. */
export interface ToolCaller {
  readonly agent: string
  readonly place: RunPlace
  readonly setting: Setting
  /** Returns the behavior of an AgentTool's target. Calls at the same time have different slots. */
  targetOf(tool: TurnTool, slot: number): Behavior
  /** Returns the fields that all occurrences of a call have. */
  about(tool: TurnTool, slot: number): Omit<Occurrence, "kind">
}

/** One call of a response: who makes it, of which tool, and where it is. */
export interface ToolCallContext {
  readonly caller: ToolCaller
  readonly tool: TurnTool
  /** Number of the call in its response. */
  readonly slot: number
  readonly call: CallState
}

/** What has happened to a call in one step, before its next stage is known. */
export interface CallProgress extends ToolCallContext {
  readonly effects: readonly RunEffect[]
  readonly records: number
  readonly does: string | null
}

/** Returns the progress of a call that one record of the journal makes. */
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

/** Returns the step that ends the progress of a call in a stage. */
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
