/** Timeouts and retries of one call, in milliseconds (docs/semantics.md#retries). */
export interface Activity {
  readonly startToCloseMs: number | null
  readonly scheduleToCloseMs: number | null
  readonly maximumAttempts: number
  readonly initialIntervalMs: number
  readonly backoffCoefficient: number
  readonly maximumIntervalMs: number | null
}

/**
 * What happens if a request expires without an answer. If a definition does not set it, the default
 * of the request kind applies.
 */
export type OnExpiry = "reject" | "fail" | "continue"
