import type { DeliveryStore } from "../../runtime/journal/delivery-store.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import type { ResponseCache } from "../../runtime/journal/response-cache.js"
import type { SessionStore } from "../../runtime/journal/session-store.js"

interface Closable {
  close(): void | Promise<void>
}

interface Compactable extends Closable {
  /** Removes deleted data from the files of the store, which may still contain it. */
  compact(): void | Promise<void>
}

/** A session store in a file or a database. */
export interface StoredSessions extends Required<SessionStore>, Compactable {}

/** A long-term memory in a file or a database. */
export interface StoredMemory extends Required<MemoryService>, Compactable {}

/** A response cache in a file or a database. */
export interface StoredResponseCache extends ResponseCache, Compactable {}

/** A delivery store in a file or a database. */
export interface StoredDeliveries extends DeliveryStore {
  close(): Promise<void>
}

/**
 * For each method of a store: whether a call opens the store. `open`: always. `ifOpen`: never; if
 * the store is not open, the method does nothing. `whenEmpty`: only if something has been stored;
 * otherwise the method returns this value.
 */
type Access<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: never) => infer Result
    ? "open" | "ifOpen" | { readonly whenEmpty: Awaited<Result> }
    : never
}

/**
 * Returns a store that opens the actual store when it is first needed, because opening a database
 * takes time and most commands use only the journal. `isStored` returns whether anything has been
 * stored yet.
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
