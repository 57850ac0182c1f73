import type { CallFailure, ModelAnswer } from "./services.js"

/** An event of a model call. */
export type ModelEvent =
  | {
      readonly type: "model.called"
      readonly call: string
      readonly attempt: number
      readonly messages: number
      /** Name of the fallback model that is called. Absent: the agent's own model. */
      readonly model?: string
    }
  | {
      readonly type: "model.responded"
      readonly call: string
      readonly answer: ModelAnswer
      /** Name of the fallback model that responded. Absent: the agent's own model. */
      readonly model?: string
    }
  /** The model call `of` has failed. The fallback model `to` receives the same messages. */
  | {
      readonly type: "model.fallback"
      readonly of: string
      readonly from: string | null
      readonly to: string
      readonly error: CallFailure
    }
