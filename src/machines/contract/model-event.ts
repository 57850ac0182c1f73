import type { CallFailure, ModelAnswer } from "./services.js"

/**
 * An event that reports the progress of a model call. `call` is the idempotency key of the call.
 */
export type ModelEvent =
  | {
      readonly type: "model.called"
      readonly call: string
      readonly attempt: number
      readonly messages: number
      /**
       * Name of the model if the call goes to a model of the agent's `routes` or `fallback`. If
       * absent, the call goes to the agent's own model.
       */
      readonly model?: string
    }
  /**
   * A model call must wait because of a limit of its model
   * (docs/resilience.md#limit-the-calls-of-a-model). The event is not stored in the journal and is
   * not replayed. It has the same `seq` as the previous event.
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
       * Name of the model that responded if it is a model of the agent's `routes` or `fallback`. If
       * absent, the agent's own model responded.
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

/** A limit that delays a model call, and the earliest time at which the call can start. */
export interface CallWait {
  /**
   * The limit of the model that is reached. `Retry-After` is a delay that the model's service
   * requested.
   */
  readonly limit: "maxConcurrent" | "requestsPerMinute" | "tokensPerMinute" | "Retry-After"
  /**
   * Earliest time at which the call can start, in milliseconds since the epoch. null if the time is
   * unknown.
   */
  readonly until: number | null
}

/**
 * Returns whether an event with this type is sent only to current subscribers and is not stored.
 * Such an event has the same `seq` as the previous event.
 */
export const isLiveOnly = ({ type }: { readonly type: string }): boolean =>
  type === "model.delta" || type === "model.waiting"
