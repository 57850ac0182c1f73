import type { JsonObject } from "../../machines/data/json-object.js"

/** A question to a judge model. */
export interface JudgeQuestion {
  /** Name of the criterion. */
  readonly criterion: string
  readonly model: string
  /** Generation settings; null: the defaults of the model. */
  readonly generationConfig: JsonObject | null
  /** The task, and the format of the answer. */
  readonly task: string
  /** The material to judge. */
  readonly material: JsonObject
}

/** Asks a judge model. */
export interface Judge {
  /** Returns the text of the answer; null if the call failed. */
  ask(question: JudgeQuestion): Promise<string | null>
}
