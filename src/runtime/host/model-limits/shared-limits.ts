import type { CallWait } from "../../../machines/contract/model-event.js"
import type { ModelLimit } from "./model-limit.js"

/** The tokens that a call has used, and the delay that its response has requested. */
export interface CallUse {
  /** Input and output tokens of the response; null if they are unknown. */
  readonly tokens: number | null
  /**
   * Time in milliseconds for which no further call may start, as requested by the model; null if it
   * has not requested a delay.
   */
  readonly pauseMs: number | null
}

/** The decision about a call: either it may start, or it must wait. */
export type Admission =
  | {
      readonly isAdmitted: true
      /** Must be called once when the call ends. */
      end(use: CallUse): void
    }
  | {
      readonly isAdmitted: false
      readonly limit: CallWait["limit"]
      /** Minimum time until the call may start, in milliseconds; null if it is unknown. */
      readonly delayMs: number | null
    }

/**
 * A counter of model calls that several processes share, for the `shared` option of `modelLimits`.
 * An implementation must stop counting the running calls of a process that was killed.
 */
export interface SharedLimits {
  /**
   * Decides whether a model call may start, so that the calls of all processes together stay within
   * the limit.
   */
  admit(model: string, limit: ModelLimit): Promise<Admission>
}
