import type { HttpEndpoint } from "./services.js"

/**
 * Timeouts and retry settings of a call of a model or a tool (docs/semantics.md#retries). Times are
 * in milliseconds. A timeout or interval of null means no limit.
 */
export interface Activity {
  readonly startToCloseMs: number | null
  readonly scheduleToCloseMs: number | null
  readonly maximumAttempts: number
  readonly initialIntervalMs: number
  readonly backoffCoefficient: number
  readonly maximumIntervalMs: number | null
  /**
   * Maximum time between two parts of a streamed response, in milliseconds. If absent, there is no
   * limit.
   */
  readonly idleMs?: number
}

/**
 * Classes of failed model calls for which a fallback model may be called
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
 * A model that is called if the previous models have failed. `on` lists the classes of failures for
 * which this model is called.
 */
export interface ModelFallback {
  /** Name of a registered model. If `endpoint` is set, the URL of the endpoint. */
  readonly model: string
  /**
   * HTTP endpoint that is called as the fallback. Set only if the agent calls its own model at an
   * endpoint. If absent, `model` is a registered model.
   */
  readonly endpoint?: HttpEndpoint
  readonly on: readonly FailureClass[]
}

/** A model that is called instead of the agent's own model if the condition `when` is true. */
export interface ModelRoute {
  /**
   * Condition that reads the session state (docs/conditions.md), such as
   * `session_state['tier'] == 'gold'`.
   */
  readonly when: string
  /** Name of a registered model. If `endpoint` is set, the URL of the endpoint. */
  readonly model: string
  /**
   * HTTP endpoint that is called if the condition is true. Set only if the agent calls its own
   * model at an endpoint. If absent, `model` is a registered model.
   */
  readonly endpoint?: HttpEndpoint
}

/**
 * Effect of a request to a person that expires without an answer: it counts as rejected, it fails,
 * or the run continues without an answer. If a definition does not set it, the default depends on
 * the kind of the request.
 */
export type OnExpiry = "reject" | "fail" | "continue"
