import type { DeliveryStore } from "../../runtime/journal/delivery-store.js"

/** A delivery store in a file or a database. */
export interface StoredDeliveries extends DeliveryStore {
  close(): Promise<void>
}

/**
 * Returns a delivery store that delegates to another store and opens it when it is first needed. If
 * `isStored` returns false, nothing has been stored yet, and read operations do not open the store.
 */
export function lazyDeliveries(
  open: () => Promise<StoredDeliveries>,
  isStored: () => boolean,
): StoredDeliveries {
  let opened: Promise<StoredDeliveries> | null = null
  const store = (): Promise<StoredDeliveries> => (opened ??= open())
  const isEmpty = (): boolean => opened === null && !isStored()
  return {
    create: async (...given) => (await store()).create(...given),
    load: async (key) => (isEmpty() ? null : (await store()).load(key)),
    ofRun: async (runId) => (isEmpty() ? [] : (await store()).ofRun(runId)),
    replace: async (...given) => (await store()).replace(...given),
    remove: async (delivery) => (await store()).remove(delivery),
    due: async (...given) => (isEmpty() ? [] : (await store()).due(...given)),
    list: async () => (isEmpty() ? [] : (await store()).list()),
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
