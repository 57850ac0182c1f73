import type { JsonObject } from "../../machines/data/json-object.js"

/** A question for a judge model, which evaluates responses of an agent. */
export interface JudgeQuestion {
  /** Name of the evaluation criterion that asks the question. */
  readonly criterion: string
  readonly model: string
  /** Generation settings such as the temperature. Null uses the defaults of the model. */
  readonly generationConfig: JsonObject | null
  /** Instructions for the judge model, with its task and the format of its answer. */
  readonly task: string
  /** Data to judge, such as a prompt and a response. */
  readonly material: JsonObject
}

/** Sends questions to a judge model, which evaluates responses of an agent. */
export interface Judge {
  /**
   * Sends a question to the judge model. Resolves to the text of the answer, or to null if the call
   * failed.
   */
  ask(question: JudgeQuestion): Promise<string | null>
}
