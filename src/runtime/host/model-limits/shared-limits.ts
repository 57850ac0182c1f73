import type { CallWait } from "../../../machines/contract/model-event.js"
import type { ModelLimit } from "./model-limit.js"

/** The tokens that a finished call has used, and the delay that its response has requested. */
export interface CallUse {
  /** Number of input and output tokens of the response. null if it is unknown. */
  readonly tokens: number | null
  /**
   * Delay in milliseconds that the response has requested (`Retry-After`). No call of the model may
   * start during this time. null if the response has not requested a delay.
   */
  readonly pauseMs: number | null
}

/** The decision of `SharedLimits.admit` about a call: the call may start, or it must wait. */
export type Admission =
  | {
      readonly isAdmitted: true
      /**
       * Reports the end of the call, so that it no longer counts as running. Must be called once.
       * `use` contains the used tokens and the requested delay.
       */
      end(use: CallUse): void
    }
  | {
      readonly isAdmitted: false
      readonly limit: CallWait["limit"]
      /** Minimum time in milliseconds until the call may start. null if it is unknown. */
      readonly delayMs: number | null
    }

/**
 * Counts the model calls of several processes together, for the option `shared` of `modelLimits`.
 * If a process is killed, an implementation must stop counting the running calls of this process.
 */
export interface SharedLimits {
  /**
   * Decides whether a call of the model may start. The calls of all processes together must not
   * exceed `limit`.
   */
  admit(model: string, limit: ModelLimit): Promise<Admission>
}
