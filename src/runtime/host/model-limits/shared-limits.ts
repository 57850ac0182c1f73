import type { CallWait } from "../../../machines/contract/model-event.js"
import type { ModelLimit } from "./model-limit.js"

/** What a call has used when it ends. */
export interface CallUse {
  /** Input and output tokens of the response; null if they are unknown. */
  readonly tokens: number | null
  /** Time for which the model requests that no call starts, in milliseconds; null if it does not. */
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
      /** Time after which the call may start at the earliest, in milliseconds; null: unknown. */
      readonly delayMs: number | null
    }

/**
 * Counts the calls of models in all processes that use it, for the option `shared` of
 * `modelLimits`. If a process is killed, its running calls must not be counted any longer.
 */
export interface SharedLimits {
  /** Admits a call of a model if the calls of all processes are within the limit. */
  admit(model: string, limit: ModelLimit): Promise<Admission>
}
