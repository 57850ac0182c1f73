import type { ModelCache } from "../../runtime/journal/model-cache.js"

/** A model cache in a file or a database. */
export interface StoredModelCache extends ModelCache {
  /** Removes the data of deleted responses from the files of the cache. */
  compact(): void | Promise<void>
  close(): void | Promise<void>
}

/**
 * Returns a model cache that opens another cache when it is first used. Most workflows use no cache,
 * and opening a database takes time. If `isStored` returns false, nothing has been stored yet, and
 * nothing is opened to delete responses.
 */
export function lazyModelCache(
  open: () => Promise<StoredModelCache>,
  isStored: () => boolean,
): StoredModelCache {
  let opened: Promise<StoredModelCache> | null = null
  const cache = (): Promise<StoredModelCache> => (opened ??= open())
  return {
    read: async (...given) => (await cache()).read(...given),
    write: async (...given) => (await cache()).write(...given),
    async clear() {
      if (isStored()) await (await cache()).clear()
    },
    async compact() {
      if (opened !== null) await (await opened).compact()
    },
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
