import type { HttpClient } from "../../adapters/http/client/http-client.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { DeliveryProgress } from "../../runtime/journal/delivery-store.js"
import type { DeliveryTarget } from "./delivery-target.js"
import type { DeliveryRetry } from "./webhook.js"

/** Reason why an attempt to deliver a run event has failed. */
export interface DeliveryFailure {
  readonly error: string
  /**
   * Whether further attempts are useless, because the receiver rejects them or its host is not
   * allowed.
   */
  readonly isFinal: boolean
  /** Minimum delay before the next attempt in milliseconds. */
  readonly retryAfterMs: number
}

/** HTTP status with which a receiver rejects all further deliveries. */
const gone = 410

/**
 * Sends a run event to a receiver. Resolves to null if the response has a status from 200 to 299.
 * Otherwise resolves to the reason for the failure. Aborting the signal `closing` stops the
 * attempt.
 *
 * @throws the reason of `closing` if it is aborted
 */
export async function attemptDelivery(
  client: HttpClient,
  target: DeliveryTarget,
  event: RunEvent,
  now: number,
  closing: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { url, publicOnly, timeoutMs } = target
  const { headers, body } = await target.request(event, now)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const outcome = await client.send(
      {
        method: "POST",
        url,
        headers: { "content-type": "application/json", ...headers },
        body,
        publicOnly,
      },
      AbortSignal.any([closing, timeout]),
    )
    // The content of the response is not used, so an oversized or malformed body is not a failure.
    const isDelivered =
      outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
    if (outcome.type === "answer" || isDelivered) return null
    const { reason, code, status, retryAfterMs = 0 } = outcome
    return { error: reason, isFinal: status === gone || code === "host_refused", retryAfterMs }
  } catch (error) {
    if (closing.aborted || !timeout.aborted) throw error
    return { error: `sent no response within ${timeoutMs} ms`, isFinal: false, retryAfterMs: 0 }
  }
}

/**
 * Returns the progress of a delivery after a failed attempt. The delay doubles with each attempt,
 * up to a maximum. A random part of up to a quarter is subtracted, so that a receiver that becomes
 * available again does not get all events at the same time. `random` returns a number from 0 to 1.
 */
export function afterFailure(
  progress: DeliveryProgress,
  { error, isFinal, retryAfterMs }: DeliveryFailure,
  { firstMs, longestMs, giveUpAfterMs }: DeliveryRetry,
  now: number,
  random: () => number,
): DeliveryProgress {
  const attempts = progress.attempts + 1
  const failingSince = progress.failingSince ?? now
  const backoff = Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 50))
  const dueAt = now + Math.max(Math.round(backoff * (1 - random() / 4)), retryAfterMs)
  const hasFailed = isFinal || dueAt > failingSince + giveUpAfterMs
  return {
    ...progress,
    attempts,
    failingSince,
    error,
    hasFailed,
    dueAt: hasFailed ? null : dueAt,
    updatedAt: now,
  }
}
