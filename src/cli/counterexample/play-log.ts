import type { JsonObject } from "../../machines/data/json-object.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import type { StubStep } from "./stub-module.js"

/** Kind of the service that answers a call. `listed` is a tool that a toolset lists at run time. */
export type AnsweredCallKind = "model" | "tool" | "function" | "listed"

/** A call of a run to a model, a tool or a host function, with its answer. */
export interface AnsweredCall {
  readonly kind: AnsweredCallKind
  /**
   * The agent id for a model call, the tool id for a tool call, or the name of a host function. For
   * a tool of a toolset, a JSON array of the service and tool name, such as `["github","search"]`.
   */
  readonly id: string
  /** Number of answers that the run had received before it made this call. */
  readonly since: number
  /**
   * Number of answers that the run had received before the answer to this call. Null if the call
   * was not answered.
   */
  answered: number | null
  /**
   * The answer to the call. For a model or tool, an entry of a scenario file. For a host function
   * or a tool of a toolset, one step of the generated function (stub) that replaces it.
   */
  answer: JsonObject | StubStep
  /** Id of the call. If a host function runs in several steps, each step has its own id. */
  readonly call: string
}

/** Calls of a run with their answers, in the order of the calls, and the answers of people. */
export interface PlayLog {
  readonly calls: readonly AnsweredCall[]
  readonly answers: readonly AnswerEntry[]
}
