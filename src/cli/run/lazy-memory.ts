import type { MemoryService } from "../../runtime/journal/memory-service.js"

/** A long-term memory in a file or a database. */
export interface StoredMemory extends Required<MemoryService> {
  /** Removes deleted messages from the memory's files, which may still contain their data. */
  compact(): void | Promise<void>
  close(): void | Promise<void>
}

/**
 * Returns a memory service that delegates to another service and opens it when one of its methods
 * is first called. Most commands use no memory, and opening a database takes time. If `isStored`
 * returns false, nothing has been stored yet, and `deleteUser` does not open the service.
 */
export function lazyMemory(
  open: () => Promise<StoredMemory>,
  isStored: () => boolean,
): StoredMemory {
  let opened: Promise<StoredMemory> | null = null
  const service = (): Promise<StoredMemory> => (opened ??= open())
  return {
    addSessionToMemory: async (session) => (await service()).addSessionToMemory(session),
    addEventsToMemory: async (added) => (await service()).addEventsToMemory(added),
    searchMemory: async (request) => (await service()).searchMemory(request),
    deleteUser: async (user, dryRun) =>
      isStored() ? (await service()).deleteUser(user, dryRun) : 0,
    async compact() {
      if (opened !== null) await (await opened).compact()
    },
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
