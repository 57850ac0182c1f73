import type { Envelope } from "../../../machines/contract/services.js"
import type { CallWait } from "../../../machines/contract/model-event.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { Clock } from "../../driver/host.js"
import type { CircuitBreakerOptions } from "./circuit-breaker.js"

/** The limits of one model, for the calls of all runs together. */
export interface ModelLimit {
  /** Maximum number of calls at the same time. Further calls wait. */
  readonly maxConcurrent?: number
  /** Maximum number of calls that start within 60 seconds. Further calls wait. */
  readonly requestsPerMinute?: number
  /**
   * Maximum number of input and output tokens within 60 seconds. When it is reached, further calls
   * wait. Each running call is assumed to use as many tokens as the last response.
   */
  readonly tokensPerMinute?: number
  /**
   * Maximum delay in milliseconds that a model can request with a `Retry-After` header and the
   * status 429 or 503. No call starts during the delay. Default: `Retry-After` does not delay other
   * calls.
   */
  readonly maxRetryAfterMs?: number
  /**
   * Circuit breaker that stops calling the model for some time after several failures in a row.
   * Default: none.
   */
  readonly circuitBreaker?: CircuitBreakerOptions
}

/**
 * The current state of a model's limits: its running and waiting calls, and its circuit breaker.
 */
export interface ModelLimitState {
  readonly running: number
  /** Number of calls that wait until the limits of the model allow them to start. */
  readonly waiting: number
  /**
   * Time until which the circuit breaker allows no calls, in milliseconds since the epoch. null: it
   * allows calls.
   */
  readonly openUntil: number | null
}

/**
 * Limits for model calls, created by `modelLimits`. All runners that use the same object share the
 * limits.
 */
export interface ModelLimits {
  /** Returns the state of each limited model that was called, by model name. */
  states(): Readonly<Record<string, ModelLimitState>>
  /** Starts a call when the limits of the model allow it. Returns a function that stops it. */
  start(model: string, call: GatedCall): () => void
}

/** One attempt of a model call that starts when the model's limits allow it. */
export interface GatedCall {
  readonly runId: string
  /** Id of the agent that makes the call, for error messages. */
  readonly agent: string
  /** Deadline of the call, in milliseconds since the epoch; null if it has none. */
  readonly deadline: number | null
  readonly clock: Clock
  /** Starts the attempt and returns a function that stops it. */
  start(complete: (result: Envelope) => void): () => void
  readonly complete: (result: Envelope) => void
  /** Called if the call must wait before it starts, with the limit for which it waits. */
  readonly waits?: (wait: CallWait) => void
}

/** Returns whether a value is the result of `modelLimits`. */
export const isModelLimits = (value: unknown): value is ModelLimits =>
  isJsonObject(value) &&
  typeof value["start"] === "function" &&
  typeof value["states"] === "function"
