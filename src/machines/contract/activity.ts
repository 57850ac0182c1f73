import type { HttpEndpoint } from "./services.js"

/** Timeouts and retries of one call, in milliseconds (docs/semantics.md#retries). */
export interface Activity {
  readonly startToCloseMs: number | null
  readonly scheduleToCloseMs: number | null
  readonly maximumAttempts: number
  readonly initialIntervalMs: number
  readonly backoffCoefficient: number
  readonly maximumIntervalMs: number | null
  /** Maximum time between two parts of a streamed response. Absent: no limit. */
  readonly idleMs?: number
}

/**
 * The classes of failed model calls after which another model may succeed
 * (docs/semantics.md#fallback-models).
 */
export const failureClasses = [
  "timeout",
  "rate_limited",
  "unavailable",
  "malformed",
  "context_too_long",
  "refused",
] as const

export type FailureClass = (typeof failureClasses)[number]

/**
 * A model that is called if the models before it in the list failed for one of the reasons in `on`.
 */
export interface ModelFallback {
  /** Name of a registered model, or the URL of `endpoint`. */
  readonly model: string
  /**
   * The HTTP service that is called, if the agent has its own endpoint. Absent: a registered model
   * is called.
   */
  readonly endpoint?: HttpEndpoint
  readonly on: readonly FailureClass[]
}

/** A model that is called instead of the agent's own model if a condition is true. */
export interface ModelRoute {
  /** A condition that reads the session state (docs/conditions.md). */
  readonly when: string
  /** Name of a registered model, or the URL of `endpoint`. */
  readonly model: string
  /**
   * The HTTP service that is called, if the agent has its own endpoint. Absent: a registered model
   * is called.
   */
  readonly endpoint?: HttpEndpoint
}

/**
 * What happens if a request expires without an answer. If a definition does not set it, the default
 * depends on the kind of the request.
 */
export type OnExpiry = "reject" | "fail" | "continue"
