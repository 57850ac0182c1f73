import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryProgress,
} from "../../runtime/journal/delivery-store.js"

/** The text columns of a stored delivery. All of them are JSON. */
export interface DeliveryTexts {
  readonly run: string
  readonly receiver: string
  readonly progress: string
}

/** Returns the columns of a key. Texts are stored as JSON, because texts of databases cannot contain every character. */
export const keyColumns = ({ runId, receiver }: DeliveryKey): [run: string, receiver: string] => [
  JSON.stringify(runId),
  JSON.stringify(receiver),
]

/** Converts the columns of a row to a delivery. The casts are safe, because the store has written the texts. */
export const deliveryOf = (
  { run, receiver, progress }: DeliveryTexts,
  version: number,
): StoredDelivery => ({
  runId: JSON.parse(run) as string,
  receiver: JSON.parse(receiver) as string,
  version,
  progress: JSON.parse(progress) as DeliveryProgress,
})

/** Returns a delivery that was just created. */
export const newDelivery = (
  { runId, receiver }: DeliveryKey,
  progress: DeliveryProgress,
): StoredDelivery => ({ runId, receiver, version: 0, progress })
