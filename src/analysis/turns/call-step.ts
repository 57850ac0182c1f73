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
  readonly tools: readonly TurnTool[]
  readonly place: RunPlace
  readonly setting: Setting
  /** Returns the behavior of an AgentTool's target. Calls at the same time have different slots. */
  targetOf(tool: TurnTool, slot: number): Behavior
  /** Returns the fields that all occurrences of a call have. */
  about(tool: TurnTool, slot: number): Omit<Occurrence, "kind">
}

export const toolOf = ({ tools }: ToolCaller, { tool }: CallState): TurnTool =>
  // A call is created with the index of its tool.
  tools[tool] as TurnTool

export const callStep = (
  { agent }: ToolCaller,
  call: CallState,
  effects: readonly RunEffect[],
  records: number,
  does: string | null,
  outcome: Partial<CallOutcome> = {},
): CallStep => ({ effects, call, outcome, records, does, agent })
