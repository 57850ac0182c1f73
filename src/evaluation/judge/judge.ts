import type { JsonObject } from "../../machines/data/json-object.js"

/** A question that is sent to a judge model. */
export interface JudgeQuestion {
  /** Name of the criterion. */
  readonly criterion: string
  readonly model: string
  /** Generation settings such as the temperature. null: the defaults of the model are used. */
  readonly generationConfig: JsonObject | null
  /** Instructions for the judge: the task and the format of the answer. */
  readonly task: string
  /** The data to judge, such as a prompt and a response. */
  readonly material: JsonObject
}

/** Sends questions to a judge model. */
export interface Judge {
  /**
   * Sends a question to the judge model. Returns the text of its answer; null if the call failed.
   */
  ask(question: JudgeQuestion): Promise<string | null>
}
