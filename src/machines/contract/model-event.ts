import type { CallFailure, ModelAnswer } from "./services.js"

/** An event of a model call. */
export type ModelEvent =
  | {
      readonly type: "model.called"
      readonly call: string
      readonly attempt: number
      readonly messages: number
      /**
       * Name of the model, if the call goes to a model of `routes` or `fallback`. Absent: the
       * agent's own model.
       */
      readonly model?: string
    }
  /**
   * The call is queued, because its model has a limit
   * (docs/resilience.md#limit-the-calls-of-a-model). The event is not stored in the journal, has
   * the same `seq` as the previous event, and is not replayed.
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
      /**
       * Name of the model that responded, if it is a model of `routes` or `fallback`. Absent: the
       * agent's own model.
       */
      readonly model?: string
    }
  /** The call of the model `of` has failed. The fallback model `to` receives the same messages. */
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
  /**
   * Earliest time at which the waiting call can start, in milliseconds since the epoch. null:
   * unknown.
   */
  readonly until: number | null
}

/**
 * Returns whether an event is only emitted to current subscribers. Such an event has no `seq` of
 * its own.
 */
export const isLiveOnly = ({ type }: { readonly type: string }): boolean =>
  type === "model.delta" || type === "model.waiting"
