import type { ChartNodeOptions } from "../contract/chart-graph.js"
import type { NodeFailure } from "../contract/run-event.js"

/**
 * Returns the delay before the next attempt in milliseconds, or null if the failure is final.
 *
 * @param seed Identifies the attempt in its run. The random part of the delay is computed from it,
 * so a replay has the same delay.
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

/** Returns a number from 0 to 1 that is computed from a text (FNV-1a). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  // One more mixing step, because texts that differ in their last character have similar hashes.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 0xffffffff
}
