import type { UserContent } from "../../machines/contract/user-content.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { ObjectPlace } from "../reading/place.js"

/** The cases of an evaluation, which are stored in one file. */
export interface EvalSet {
  readonly file: string
  readonly evalSetId: string
  readonly cases: readonly EvalCase[]
}

/** A case of an evaluation: the user messages of a conversation, and the expected results. */
export interface EvalCase {
  readonly evalId: string
  /** JSON pointer to the location of the case in its file. */
  readonly pointer: string
  /** The turns of the conversation. Empty if the case needs a simulated user. */
  readonly turns: readonly EvalTurn[]
  readonly needsSimulatedUser: boolean
  /** Session state with which the run of the case starts. */
  readonly state: JsonObject
  readonly rubrics: readonly Rubric[]
  /** The expected session state after the last turn; null if the case does not specify it. */
  readonly finalState: JsonObject | null
  /** The answers of people to pending requests, as one list for each turn. */
  readonly answers: readonly (readonly EvalAnswer[])[]
  /**
   * The criteria of the case. They replace criteria of the config with the same name. null if the
   * case has none.
   */
  readonly criteria: ObjectPlace | null
}

/** One turn of a case: a user message with its expected results. */
export interface EvalTurn {
  readonly invocationId: string
  readonly user: UserContent
  readonly userText: string
  /** Kinds of message parts that no model dialect supports. These parts are not sent. */
  readonly unsupportedParts: readonly string[]
  /** The expected final response; null if the case does not specify it. */
  readonly reference: string | null
  readonly expectedCalls: readonly EvalCall[]
  readonly rubrics: readonly Rubric[]
}

/** An expected or an actual tool call. */
export interface EvalCall {
  /** Id of the tool call; null if the model sent no id. */
  readonly id: string | null
  readonly name: string
  readonly args: JsonObject
}

/** A rubric: a property of a response or conversation that a judge checks. */
export interface Rubric {
  readonly id: string
  readonly text: string
  /**
   * Type of the rubric, such as `TOOL_USE_QUALITY`. It selects the criterion that checks the
   * rubric. null: no criterion uses the rubric.
   */
  readonly type: string | null
  /** JSON pointer to the location of the rubric in its file. */
  readonly pointer: string
}

/**
 * A person's answer to a pending request, in the format of `run --answers`. `id` is the id of the
 * request. Without `id`, the answer is for the oldest pending request of a matching kind.
 */
export type EvalAnswer =
  | { readonly approve: true; readonly args?: JsonObject; readonly id?: string }
  | { readonly reject: true; readonly reason?: string; readonly id?: string }
  | { readonly answer: unknown; readonly id?: string }
  | { readonly user: string; readonly id?: string }
