import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryProgress,
} from "../../runtime/journal/delivery-store.js"

/**
 * The text columns of a row that stores a webhook delivery, which is the progress of sending the
 * events of one run to one receiver. Each column contains JSON.
 */
export interface DeliveryTexts {
  readonly run: string
  readonly receiver: string
  readonly progress: string
}

/**
 * Returns the values of the database columns `run` and `receiver`, which identify a webhook
 * delivery. The values are JSON strings, because database strings cannot contain every character,
 * for example U+0000.
 */
export const keyColumns = ({ runId, receiver }: DeliveryKey): [run: string, receiver: string] => [
  JSON.stringify(runId),
  JSON.stringify(receiver),
]

/**
 * Converts a database row to a webhook delivery. The type casts are safe, because the store itself
 * wrote the row.
 */
export const deliveryOf = (
  { run, receiver, progress }: DeliveryTexts,
  version: number,
): StoredDelivery => ({
  runId: JSON.parse(run) as string,
  receiver: JSON.parse(receiver) as string,
  version,
  progress: JSON.parse(progress) as DeliveryProgress,
})

/** Creates a webhook delivery with version 0. The store increases the version at each update. */
export const newDelivery = (
  { runId, receiver }: DeliveryKey,
  progress: DeliveryProgress,
): StoredDelivery => ({ runId, receiver, version: 0, progress })
