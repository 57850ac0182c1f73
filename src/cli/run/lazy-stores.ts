import type { DeliveryStore } from "../../runtime/journal/delivery-store.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import type { ResponseCache } from "../../runtime/journal/response-cache.js"
import type { SessionStore } from "../../runtime/journal/session-store.js"

interface Closable {
  close(): void | Promise<void>
}

interface Compactable extends Closable {
  /** Rewrites the files of the store, which may still contain deleted data, without this data. */
  compact(): void | Promise<void>
}

/** Session store in a file or a database. It can be closed and compacted. */
export interface StoredSessions extends Required<SessionStore>, Compactable {}

/** Long-term memory in a file or a database. It can be closed and compacted. */
export interface StoredMemory extends Required<MemoryService>, Compactable {}

/** Cache of model responses in a file or a database. It can be closed and compacted. */
export interface StoredResponseCache extends ResponseCache, Compactable {}

/** Store of webhook deliveries in a file or a database. */
export interface StoredDeliveries extends DeliveryStore {
  close(): Promise<void>
}

/**
 * Defines for each method of a store the effect of a call while the store is not open. `open` opens
 * the store. `ifOpen` does nothing. `whenEmpty` opens the store only if data has been stored.
 * Otherwise, the method returns the value of `whenEmpty`.
 */
type Access<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: never) => infer Result
    ? "open" | "ifOpen" | { readonly whenEmpty: Awaited<Result> }
    : never
}

/**
 * Creates a store that opens the actual store on first use, because opening a database takes time
 * and most commands use only the journal. `isStored` returns whether any data has been stored.
 */
const lazyStore =
  <Store extends object>(access: Access<Store>) =>
  (open: () => Promise<Store>, isStored: () => boolean): Store => {
    let opened: Promise<Store> | null = null
    const method =
      (name: string, rule: "open" | "ifOpen" | { readonly whenEmpty: unknown }) =>
      async (...args: readonly unknown[]): Promise<unknown> => {
        if (rule === "ifOpen" && opened === null) return
        if (typeof rule === "object" && opened === null && !isStored()) return rule.whenEmpty
        const store = (await (opened ??= open())) as Readonly<
          Record<string, (...given: readonly unknown[]) => unknown>
        >
        return store[name]?.(...args)
      }
    // The type of `access` contains every method of the store.
    return Object.fromEntries(
      Object.entries<"open" | "ifOpen" | { readonly whenEmpty: unknown }>(access).map(
        ([name, rule]) => [name, method(name, rule)],
      ),
    ) as Store
  }

export const lazySessions = lazyStore<StoredSessions>({
  create: "open",
  load: "open",
  save: "open",
  list: "open",
  delete: "open",
  deleteUser: { whenEmpty: { sessions: [], sharedKeys: 0 } },
  compact: { whenEmpty: undefined },
  close: "ifOpen",
})

export const lazyMemory = lazyStore<StoredMemory>({
  addSessionToMemory: "open",
  addEventsToMemory: "open",
  searchMemory: "open",
  deleteUser: { whenEmpty: 0 },
  compact: "ifOpen",
  close: "ifOpen",
})

export const lazyResponseCache = lazyStore<StoredResponseCache>({
  read: "open",
  write: "open",
  clear: { whenEmpty: undefined },
  compact: "ifOpen",
  close: "ifOpen",
})

export const lazyDeliveries = lazyStore<StoredDeliveries>({
  create: "open",
  load: { whenEmpty: null },
  ofRun: { whenEmpty: [] },
  replace: "open",
  remove: "open",
  due: { whenEmpty: [] },
  list: { whenEmpty: [] },
  close: "ifOpen",
})
