import type { UserContent } from "../../machines/contract/user-content.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { LocatedObject } from "../reading/located-value.js"

/** A set of test cases for the evaluation of a workflow, stored in one file. */
export interface EvalSet {
  readonly file: string
  readonly evalSetId: string
  readonly cases: readonly EvalCase[]
}

/**
 * A test case of an evaluation. It contains the user messages of a conversation and the expected
 * results.
 */
export interface EvalCase {
  readonly evalId: string
  /** JSON pointer to the case in its file. */
  readonly pointer: string
  /** Turns of the conversation. Empty if the case needs a simulated user. */
  readonly turns: readonly EvalTurn[]
  readonly needsSimulatedUser: boolean
  /** Session state at the start of the case's run. */
  readonly state: JsonObject
  readonly rubrics: readonly Rubric[]
  /** Expected session state after the last turn. Null if the case does not define it. */
  readonly finalState: JsonObject | null
  /** Answers of people to pending requests. Each inner array contains the answers of one turn. */
  readonly answers: readonly (readonly EvalAnswer[])[]
  /**
   * Criteria of the case. They replace criteria of the config with the same name. Null if the case
   * has no criteria.
   */
  readonly criteria: LocatedObject | null
}

/** One turn of a test case, with the user message and the expected results. */
export interface EvalTurn {
  readonly invocationId: string
  readonly user: UserContent
  readonly userText: string
  /**
   * Kinds of parts in the user message that are not sent, because the API of no model supports
   * them.
   */
  readonly unsupportedParts: readonly string[]
  /** Expected final response. Null if the case does not define it. */
  readonly reference: string | null
  readonly expectedCalls: readonly EvalCall[]
  readonly rubrics: readonly Rubric[]
}

/** An expected or actual tool call in an evaluation. */
export interface EvalCall {
  /** Id of the tool call. Null if the model sent no id. */
  readonly id: string | null
  readonly name: string
  readonly args: JsonObject
}

/** A property of a response or conversation that a judge checks. */
export interface Rubric {
  readonly id: string
  readonly text: string
  /**
   * Type of the rubric, such as `TOOL_USE_QUALITY`. It selects the criterion that checks the
   * rubric. If it is null, no criterion uses the rubric.
   */
  readonly type: string | null
  /** JSON pointer to the rubric in its file. */
  readonly pointer: string
}

/**
 * A person's answer to a pending request, in the format of the option `run --answers`. `id` is the
 * id of the request. Without `id`, it answers the oldest pending request of a matching kind.
 */
export type EvalAnswer =
  | { readonly approve: true; readonly args?: JsonObject; readonly id?: string }
  | { readonly reject: true; readonly reason?: string; readonly id?: string }
  | { readonly answer: unknown; readonly id?: string }
  | { readonly user: string; readonly id?: string }
