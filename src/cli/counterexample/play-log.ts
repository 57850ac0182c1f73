import type { JsonObject } from "../../machines/data/json-object.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import type { StubStep } from "./stub-module.js"

/** The kind of service that answers a call. */
export type AnsweredCallKind = "model" | "tool" | "function" | "listed"

/** A request of a run to a model, a tool or a host function. */
export interface AnsweredCall {
  readonly kind: AnsweredCallKind
  /** Id of the agent or the tool, or name of the service. A tool of a toolset has both, as JSON. */
  readonly id: string
  /** Number of answers that the run had received before it made this request. */
  readonly since: number
  /** Number of answers that the run had received before this one; null if it never received it. */
  answered: number | null
  /** The answer: an entry of a scenario, or a step of a function. */
  answer: JsonObject | StubStep
  /** Id of the call. If a function runs in steps, each step has its own id. */
  readonly call: string
}

/** The requests of a run with their answers, in the order of the requests. */
export interface PlayLog {
  readonly calls: readonly AnsweredCall[]
  readonly answers: readonly AnswerEntry[]
}
