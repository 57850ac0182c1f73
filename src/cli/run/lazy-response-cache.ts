import type { ResponseCache } from "../../runtime/journal/response-cache.js"

/** A response cache in a file or a database. */
export interface StoredResponseCache extends ResponseCache {
  /** Removes deleted responses from the cache's files, which may still contain their data. */
  compact(): void | Promise<void>
  close(): void | Promise<void>
}

/**
 * Returns a response cache that delegates to another cache and opens it when it is first used. Most
 * workflows use no cache, and opening a database takes time. If `isStored` returns false, nothing
 * has been stored yet, and `clear` does not open the cache.
 */
export function lazyResponseCache(
  open: () => Promise<StoredResponseCache>,
  isStored: () => boolean,
): StoredResponseCache {
  let opened: Promise<StoredResponseCache> | null = null
  const cache = (): Promise<StoredResponseCache> => (opened ??= open())
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
