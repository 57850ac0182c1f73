import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryProgress,
} from "../../runtime/journal/delivery-store.js"

/** The text columns of a stored delivery (see `DeliveryStore`). Each column contains JSON. */
export interface DeliveryTexts {
  readonly run: string
  readonly receiver: string
  readonly progress: string
}

/**
 * Returns the database columns that identify a delivery. The texts are stored as JSON, because
 * database strings cannot contain every character, for example U+0000.
 */
export const keyColumns = ({ runId, receiver }: DeliveryKey): [run: string, receiver: string] => [
  JSON.stringify(runId),
  JSON.stringify(receiver),
]

/**
 * Converts a database row to a delivery. The casts are safe, because the store itself wrote the
 * row.
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

/** Creates a delivery with version 0, which is the version of a delivery that was never updated. */
export const newDelivery = (
  { runId, receiver }: DeliveryKey,
  progress: DeliveryProgress,
): StoredDelivery => ({ runId, receiver, version: 0, progress })
