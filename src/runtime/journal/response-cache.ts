import type { ModelAnswer } from "../../machines/contract/services.js"

/** A response of a model, in the form in which a cache stores it. */
export interface StoredResponse {
  readonly answer: ModelAnswer
  /** Time at which the model responded, in milliseconds since the epoch. */
  readonly at: number
  /** Time at which the response expires, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Stores model responses. It is used for agents with `cache` in their config
 * (docs/resilience.md#cache-responses).
 *
 * `request` is the JSON text of a complete model request. It can be long and contains the
 * conversation, so a cache on disk should store only its hash. The stored values are JSON.
 */
export interface ResponseCache {
  /**
   * Returns the stored response to a request. Returns null if no response is stored, or if it has
   * expired at the time `now` (milliseconds since the epoch).
   */
  read(request: string, now: number): StoredResponse | null | Promise<StoredResponse | null>
  /** Stores the response to a request. Replaces an earlier response to the same request. */
  write(request: string, response: StoredResponse): void | Promise<void>
  /** Deletes all stored responses. */
  clear(): void | Promise<void>
}
