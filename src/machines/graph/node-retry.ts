import { textHash } from "../data/text-hash.js"
import type { ChartNodeOptions } from "../contract/chart-graph.js"
import type { NodeFailure } from "../contract/run-event.js"

/**
 * Returns the delay before the next attempt of a graph node in milliseconds. Returns null if the
 * node is not retried.
 *
 * @param seed Text that identifies the attempt. The random part of the delay is computed from it,
 * so that a replay has the same delay.
 */
export function retryDelay(
  { retry }: ChartNodeOptions,
  attempt: number,
  { name }: NodeFailure,
  seed: string,
): number | null {
  if (retry === undefined || attempt >= retry.maxAttempts) return null
  if (retry.exceptions !== undefined && !retry.exceptions.includes(name)) return null
  const { initialDelayMs, maxDelayMs, backoffFactor, jitter } = retry
  const most = maxDelayMs / (1 + jitter)
  const delay = Math.min(initialDelayMs * backoffFactor ** (attempt - 1), most)
  return Math.max(0, delay * (1 + jitter * (2 * fractionOf(seed) - 1)))
}

/** Returns a pseudorandom number from 0 to 1 that depends only on the text. */
const fractionOf = (text: string): number => textHash(text) / 0xffffffff
