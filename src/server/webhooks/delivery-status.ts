import type { StoredDelivery, DeliveryStore } from "../../runtime/journal/delivery-store.js"
import { newProgress } from "./deliverer.js"

/** Status of the delivery of a run's events to one receiver, while the delivery is incomplete. */
export interface DeliveryStatus {
  readonly runId: string
  readonly receiver: string
  /**
   * State of the delivery. After `failed`, no further attempt is made until a client retries the
   * delivery.
   */
  readonly status: "delivering" | "retrying" | "failed"
  /**
   * Number of events since the start of the run that need no further delivery. The receiver has
   * received them, or its event filter excludes them.
   */
  readonly position: number
  readonly attempts: number
  /** Time of the next attempt in milliseconds since the epoch. Null if no attempt is planned. */
  readonly nextAttemptAt: number | null
  readonly failingSince: number | null
  readonly error: string | null
}

/** Returns the status of a delivery. Returns null if all known events are delivered. */
export function deliveryStatus({
  runId,
  receiver,
  progress,
}: StoredDelivery): DeliveryStatus | null {
  const { position, dueAt, attempts, failingSince, error, hasFailed } = progress
  if (runId === "" || (dueAt === null && !hasFailed)) return null
  const status = hasFailed ? "failed" : attempts > 0 ? "retrying" : "delivering"
  return { runId, receiver, status, position, attempts, nextAttemptAt: dueAt, failingSince, error }
}

/**
 * Schedules an immediate attempt for all failed deliveries to a receiver. Returns these deliveries.
 */
export async function retryDeliveries(
  store: DeliveryStore,
  receiver: string,
  now: number,
): Promise<readonly StoredDelivery[]> {
  const failed = (await store.list()).filter(
    (delivery) => delivery.receiver === receiver && delivery.progress.hasFailed,
  )
  for (const delivery of failed) {
    const { progress } = delivery
    await store.replace(delivery, {
      ...progress,
      ...newProgress(progress.position, now),
      dueAt: now,
    })
  }
  return failed
}
