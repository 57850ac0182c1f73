import type { JsonObject } from "../../machines/data/json-object.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import type { StubStep } from "./stub-module.js"

/** The kind of service that answers a call. `listed`: a tool that a toolset lists at run time. */
export type AnsweredCallKind = "model" | "tool" | "function" | "listed"

/** A call of a run to a model, a tool or a host function, with its answer. */
export interface AnsweredCall {
  readonly kind: AnsweredCallKind
  /**
   * Id of the agent for a model, id of the tool, or name of the function. For a tool of a toolset:
   * `[service, tool]` as JSON.
   */
  readonly id: string
  /** Number of answers that the run had received before it made this call. */
  readonly since: number
  /**
   * Number of answers that the run had received before the answer to this call. null: the call was
   * not answered.
   */
  answered: number | null
  /** The answer: a scenario entry, or one step of a function. */
  answer: JsonObject | StubStep
  /** Id of the call. If a function runs in steps, each step has its own id. */
  readonly call: string
}

/**
 * The calls of a run with their answers, in the order of the requests, and the answers of people.
 */
export interface PlayLog {
  readonly calls: readonly AnsweredCall[]
  readonly answers: readonly AnswerEntry[]
}
