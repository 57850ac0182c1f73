import type { JournalWarning } from "../../adapters/journal/jsonl/index.js"
import type { FileJournal } from "../../adapters/journal/jsonl/index.js"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { orInstall } from "../errors/missing-package.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { Terminal } from "../terminal/terminal.js"
import type { JournalOption } from "../options/run-options.js"
import type {
  StoredDeliveries,
  StoredMemory,
  StoredResponseCache,
  StoredSessions,
} from "./lazy-stores.js"
import { lazyDeliveries, lazyMemory, lazyResponseCache, lazySessions } from "./lazy-stores.js"
import { escapeIndented } from "../terminal/untrusted-text.js"

/** An open journal with its location and the stores that belong to it. */
export interface OpenStores {
  readonly journal: StoredJournal
  /** Name of the journal in messages. It is a folder, a file or a URL. */
  readonly location: string
  /**
   * Store of the sessions of runs. If a database stores the runs, it also stores the sessions. If a
   * folder stores the runs, the file `sessions.sqlite` in this folder stores the sessions. Opened
   * on first use.
   */
  readonly sessions: StoredSessions
  /**
   * Long-term memory of users. If a database stores the runs, it also stores the memory. If a
   * folder stores the runs, the file `memory.sqlite` in this folder stores the memory. Opened on
   * first use.
   */
  readonly memory: StoredMemory
  /**
   * Cache of model responses. If a database stores the runs, it also stores the cache. If a folder
   * stores the runs, the file `response-cache.sqlite` in this folder stores the cache. Opened on
   * first use.
   */
  readonly responseCache: StoredResponseCache
  /**
   * Progress of webhook deliveries. If a database stores the runs, it also stores the progress. If
   * a folder stores the runs, the file `webhooks.sqlite` in this folder stores the progress. Opened
   * on first use.
   */
  readonly deliveries: StoredDeliveries
  /** Path prefix for other files that are stored next to the journal. */
  readonly filePrefix: string
  /**
   * Rewrites the files of the journal, which may still contain the data of deleted runs, sessions
   * and messages, without this data.
   */
  compact(): Promise<void>
  close(): Promise<void>
}

/** Journal of runs on disk or in a database. `verify` exists only for journals with checksums. */
export interface StoredJournal extends CompleteJournal, Partial<Pick<FileJournal, "verify">> {
  compact(): void | Promise<void>
}

const defaultLocation = ".agent-statecharts/runs"

/**
 * Opens the journal that the option `--journal` selects. A `postgres://` URL selects PostgreSQL. A
 * file with the extension `.sqlite`, `.sqlite3` or `.db` selects SQLite. Any other path is a folder
 * of JSON Lines files.
 */
export async function openJournal(
  { journal: option }: JournalOption,
  { printError, paintError }: Pick<Terminal, "printError" | "paintError">,
): Promise<OpenStores> {
  const onWarning = ({ message }: JournalWarning): void =>
    printError(`${paintError.warning("warning")}: ${escapeIndented(message)}`)
  const location = option === undefined || option === false ? defaultLocation : option
  if (/^postgres(ql)?:\/\//.test(location)) return openPostgresStores(location)
  if (/\.(sqlite3?|db)$/i.test(location)) {
    const { sqliteJournal } = await import("../../adapters/journal/sqlite/index.js")
    const journal = sqliteJournal(location, { onWarning })
    return withSessions(
      {
        journal,
        location,
        filePrefix: location,
        memory: lazyMemory(
          () => openSqliteMemory(location),
          () => true,
        ),
        responseCache: lazyResponseCache(
          () => openSqliteResponseCache(location),
          () => true,
        ),
        deliveries: lazyDeliveries(
          () => openSqliteDeliveries(location),
          () => true,
        ),
        close: async () => journal.close(),
      },
      () => openSqliteSessions(location),
      { isShared: true },
    )
  }
  const { jsonlJournal } = await import("../../adapters/journal/jsonl/index.js")
  const journal = jsonlJournal(location, { onWarning })
  const file = join(location, "sessions.sqlite")
  const memoryFile = join(location, "memory.sqlite")
  const memory = lazyMemory(
    async () => {
      mkdirSync(location, { recursive: true })
      return openSqliteMemory(memoryFile)
    },
    () => existsSync(memoryFile),
  )
  const cacheFile = join(location, "response-cache.sqlite")
  const responseCache = lazyResponseCache(
    async () => {
      mkdirSync(location, { recursive: true })
      return openSqliteResponseCache(cacheFile)
    },
    () => existsSync(cacheFile),
  )
  const deliveryFile = join(location, "webhooks.sqlite")
  const deliveries = lazyDeliveries(
    async () => {
      mkdirSync(location, { recursive: true })
      return openSqliteDeliveries(deliveryFile)
    },
    () => existsSync(deliveryFile),
  )
  return withSessions(
    {
      journal,
      location,
      filePrefix: location,
      memory,
      responseCache,
      deliveries,
      async close() {},
    },
    async () => {
      mkdirSync(location, { recursive: true })
      return openSqliteSessions(file)
    },
    { isStored: () => existsSync(file) },
  )
}

async function openSqliteSessions(file: string): Promise<StoredSessions> {
  const { sqliteSessionStore } = await import("../../adapters/session/sqlite/index.js")
  return sqliteSessionStore(file)
}

async function openSqliteMemory(file: string): Promise<StoredMemory> {
  const { sqliteMemoryService } = await import("../../adapters/memory/sqlite/index.js")
  return sqliteMemoryService(file)
}

async function openSqliteResponseCache(file: string): Promise<StoredResponseCache> {
  const { sqliteResponseCache } = await import("../../adapters/response-cache/sqlite/index.js")
  return sqliteResponseCache(file)
}

async function openSqliteDeliveries(file: string): Promise<StoredDeliveries> {
  const { sqliteDeliveryStore } =
    await import("../../adapters/delivery/sqlite/sqlite-delivery-store.js")
  return sqliteDeliveryStore(file)
}

function withSessions(
  store: Omit<OpenStores, "sessions" | "compact">,
  open: () => Promise<StoredSessions>,
  {
    isShared = false,
    isStored = () => true,
  }: {
    /** Whether the same file contains the runs and the sessions. */
    readonly isShared?: boolean
    readonly isStored?: () => boolean
  } = {},
): OpenStores {
  const sessions = lazySessions(open, isStored)
  const { journal, deliveries } = store
  return {
    ...store,
    sessions,
    journal: {
      ...journal,
      async delete(runId) {
        await journal.delete(runId)
        for (const delivery of await deliveries.ofRun(runId)) await deliveries.remove(delivery)
      },
    },
    async compact() {
      await store.memory.compact()
      await store.responseCache.compact()
      await journal.compact()
      if (!isShared) await sessions.compact()
    },
    async close() {
      await sessions.close()
      await store.memory.close()
      await store.responseCache.close()
      await store.deliveries.close()
      await store.close()
    },
  }
}

async function openPostgresStores(location: string): Promise<OpenStores> {
  // Printed commands and process lists contain the option, so the URL must not contain a password.
  if (!URL.canParse(location) || new URL(location).password !== "")
    throw new UsageProblem(
      "--journal must be a URL without a password, such as postgresql://user@host/database. Pass the password in the environment variable PGPASSWORD.",
    )
  const { postgresJournal } = await import("../../adapters/journal/postgres/index.js").catch(
    orInstall("--journal with PostgreSQL requires a package that is not installed", "pg"),
  )
  const journal = postgresJournal(location)
  return withSessions(
    {
      journal,
      location,
      filePrefix: defaultLocation,
      memory: lazyMemory(
        async () => {
          const { postgresMemoryService } = await import("../../adapters/memory/postgres/index.js")
          return postgresMemoryService(location)
        },
        () => true,
      ),
      responseCache: lazyResponseCache(
        async () => {
          const { postgresResponseCache } =
            await import("../../adapters/response-cache/postgres/index.js")
          return postgresResponseCache(location)
        },
        () => true,
      ),
      deliveries: lazyDeliveries(
        async () => {
          const { postgresDeliveryStore } =
            await import("../../adapters/delivery/postgres/postgres-delivery-store.js")
          return postgresDeliveryStore(location)
        },
        () => true,
      ),
      close: () => journal.close(),
    },
    async () => {
      const { postgresSessionStore } = await import("../../adapters/session/postgres/index.js")
      return postgresSessionStore(location)
    },
  )
}
