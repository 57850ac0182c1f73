import type { Envelope } from "../../../machines/contract/services.js"
import type { CallWait } from "../../../machines/contract/model-event.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { Clock } from "../../driver/host.js"
import type { CircuitBreakerOptions } from "./circuit-breaker.js"

/** Limits of one model. They apply to the calls of all runs together. */
export interface ModelLimit {
  /** Maximum number of calls at the same time. Further calls wait. */
  readonly maxConcurrent?: number
  /** Maximum number of calls that start within 60 seconds. Further calls wait. */
  readonly requestsPerMinute?: number
  /**
   * Maximum number of input and output tokens within 60 seconds. If it is reached, further calls
   * wait. Each running call is assumed to use as many tokens as the last response.
   */
  readonly tokensPerMinute?: number
  /**
   * Maximum delay in milliseconds that a `Retry-After` header can cause in a response with status
   * 429 or 503. No call of the model starts during the delay. Default: `Retry-After` does not delay
   * other calls.
   */
  readonly maxRetryAfterMs?: number
  /**
   * Circuit breaker, which prevents calls of the model for some time after several failures in a
   * row. Default: none.
   */
  readonly circuitBreaker?: CircuitBreakerOptions
}

/** Current number of running and waiting calls of a model, and the state of its circuit breaker. */
export interface ModelLimitState {
  readonly running: number
  /** Number of calls that wait until the limits of the model allow them to start. */
  readonly waiting: number
  /**
   * Time until which the circuit breaker prevents calls, in milliseconds since the epoch. null if
   * it allows calls.
   */
  readonly openUntil: number | null
}

/**
 * Limits for model calls, as `modelLimits` returns them. All runners that use the same object share
 * the limits.
 */
export interface ModelLimits {
  /** Returns the current state of each limited model that was called, by model name. */
  states(): Readonly<Record<string, ModelLimitState>>
  /**
   * Starts a call as soon as the limits of the model allow it. Returns a function that stops the
   * call.
   */
  start(model: string, call: GatedCall): () => void
}

/** One attempt of a model call that waits until the limits of the model allow it to start. */
export interface GatedCall {
  readonly runId: string
  /** Id of the agent that makes the call, for error messages. */
  readonly agent: string
  /** Deadline of the call in milliseconds since the epoch. null if the call has no deadline. */
  readonly deadline: number | null
  readonly clock: Clock
  /**
   * Starts the attempt and returns a function that stops it. An implementation must call `complete`
   * with the result of the attempt.
   */
  start(complete: (result: Envelope) => void): () => void
  readonly complete: (result: Envelope) => void
  /**
   * Called if the call must wait before it starts. `wait` contains the limit that delays the call.
   */
  readonly waits?: (wait: CallWait) => void
}

/** Returns true if a value is the result of `modelLimits`. */
export const isModelLimits = (value: unknown): value is ModelLimits =>
  isJsonObject(value) &&
  typeof value["start"] === "function" &&
  typeof value["states"] === "function"
