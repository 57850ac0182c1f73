import type { CallFailure, ModelAnswer } from "./services.js"

/** An event that reports the progress of a model call. */
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
   * A model call is queued because of a limit of its model
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
  /**
   * A model call has failed, and the same messages are sent to the fallback model `to`. `of` is the
   * idempotency key of the failed call.
   */
  | {
      readonly type: "model.fallback"
      readonly of: string
      readonly from: string | null
      readonly to: string
      readonly error: CallFailure
    }

/** The limit that delays a queued model call, and the earliest time at which the call can start. */
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
