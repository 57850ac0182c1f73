import type { CallFailure, ModelAnswer } from "./services.js"

/** An event of a model call. */
export type ModelEvent =
  | {
      readonly type: "model.called"
      readonly call: string
      readonly attempt: number
      readonly messages: number
      /** Name of the called model of `routes` or `fallback`. Absent: the agent's own model. */
      readonly model?: string
    }
  /**
   * The call waits for its turn (docs/resilience.md#limit-the-calls-of-a-model). The event is not
   * stored in the journal, has the `seq` of the event before it, and is not replayed.
   */
  | ({
      readonly type: "model.waiting"
      readonly call: string
      readonly attempt: number
    } & CallWait)
  | {
      readonly type: "model.responded"
      readonly call: string
      readonly answer: ModelAnswer
      /** Name of the model of `routes` or `fallback` that responded. Absent: the agent's own model. */
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

/** Why a model call waits. */
export interface CallWait {
  /** The limit of the model that delays the call. */
  readonly limit: "maxConcurrent" | "requestsPerMinute" | "tokensPerMinute" | "Retry-After"
  /** Time until which the call waits at least, in milliseconds since the epoch. null: unknown. */
  readonly until: number | null
}

/** Returns whether an event is only emitted to current subscribers and has no `seq` of its own. */
export const isLiveOnly = ({ type }: { readonly type: string }): boolean =>
  type === "model.delta" || type === "model.waiting"
