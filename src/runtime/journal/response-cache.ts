import type { ModelAnswer } from "../../machines/contract/services.js"

/** A response of a model, as a cache stores it. */
export interface StoredResponse {
  readonly answer: ModelAnswer
  /** Time of the response, in milliseconds since the epoch. */
  readonly at: number
  /** Time at which the response expires, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * A store for model responses, used by agents with `cache` (docs/resilience.md#cache-responses).
 *
 * `request` is the JSON text of a complete model request. It can be long and contains the
 * conversation, so a cache on disk stores only its hash. Values are JSON.
 */
export interface ResponseCache {
  /**
   * Returns the stored response to a request, or null if there is none or it has expired at `now`.
   */
  read(request: string, now: number): StoredResponse | null | Promise<StoredResponse | null>
  /** Stores the response to a request. Replaces an earlier response to the same request. */
  write(request: string, response: StoredResponse): void | Promise<void>
  /** Deletes all responses. */
  clear(): void | Promise<void>
}
