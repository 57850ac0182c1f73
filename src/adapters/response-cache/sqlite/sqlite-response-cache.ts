import type { ModelAnswer } from "../../../machines/contract/services.js"
import type { ResponseCache, StoredResponse } from "../../../runtime/journal/response-cache.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import { storeFailed } from "../../store-failed.js"
import { requestHash } from "../request-hash.js"

export interface SqliteResponseCache extends ResponseCache {
  read(request: string, now: number): StoredResponse | null
  write(request: string, response: StoredResponse): void
  clear(): void
  /**
   * Removes the data of deleted responses from the SQLite file and shortens the file. Until this
   * method is called, the file may still contain the data.
   */
  compact(): void
  /** Closes the database file. The cache cannot be used after that. */
  close(): void
}

const schema = `
  CREATE TABLE IF NOT EXISTS model_responses (
    request TEXT PRIMARY KEY, answer TEXT NOT NULL, at INTEGER NOT NULL, expires INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS model_responses_expires ON model_responses (expires);
`

const statements = {
  find: `SELECT CAST(answer AS BLOB) AS answer, CAST(at AS INTEGER) AS at, CAST(expires AS INTEGER) AS expires
    FROM model_responses WHERE request = ? AND expires > ?`,
  put: "INSERT OR REPLACE INTO model_responses (request, answer, at, expires) VALUES (?, ?, ?, ?)",
  removeExpired: "DELETE FROM model_responses WHERE expires <= ?",
  removeAll: "DELETE FROM model_responses",
} as const

/**
 * A row with a cached model response. The text in `answer` is read as bytes, which `storedText`
 * decodes.
 */
interface ResponseRow {
  readonly answer: unknown
  readonly at: number
  readonly expires: number
}

/**
 * Creates a cache that stores the responses of models in a SQLite file, which can also contain the
 * runs of `sqliteJournal`. Several processes may use the file. Only hashes of the requests are
 * stored.
 *
 * @example
 * const responseCache = sqliteResponseCache("cache.sqlite")
 * const runner = createRunner({ responseCache })
 */
export function sqliteResponseCache(
  file: string,
  {
    busyTimeoutMs = 5000,
  }: {
    /**
     * Maximum time in milliseconds to wait for a database lock of another process. Default: 5,000.
     */
    readonly busyTimeoutMs?: number
  } = {},
): SqliteResponseCache {
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw storeFailed("cache_failed", `the response cache ${file}`, error)
    }
  }
  const database = typed(() =>
    openDatabase(file, { schema, statements, busyTimeoutMs, errorCode: "cache_failed" }),
  )
  const { prepared } = database
  return {
    read: (request, now) =>
      typed(() => {
        const found = prepared.find.get(requestHash(request), now)
        if (found === undefined) return null
        // The casts are safe. The statement returns these columns, and `write` has written the
        // text.
        const { answer, at, expires } = found as ResponseRow
        const text = storedText(answer, "a cached response")
        return { answer: JSON.parse(text) as ModelAnswer, at, expiresAt: expires }
      }),
    write: (request, { answer, at, expiresAt }) =>
      typed(() =>
        database.writeTransaction(() => {
          prepared.removeExpired.run(at)
          prepared.put.run(requestHash(request), JSON.stringify(answer), at, expiresAt)
        }),
      ),
    clear: () =>
      typed(() => {
        database.writeTransaction(() => prepared.removeAll.run())
      }),
    compact: () => typed(() => database.vacuum()),
    close: () => typed(() => database.close()),
  }
}
