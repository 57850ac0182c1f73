import { checkText } from "../../../machines/data/check-arguments.js"
import type { ModelAnswer } from "../../../machines/contract/services.js"
import type { ResponseCache, StoredResponse } from "../../../runtime/journal/response-cache.js"
import { loadPg } from "../../postgres/load-pg.js"
import { poolUser, preparedPool } from "../../postgres/prepared-pool.js"
import type { TableSet } from "../../postgres/prepare-tables.js"
import { quoted, rewriteTables } from "../../postgres/prepare-tables.js"
import { requestHash } from "../request-hash.js"

const pg = await loadPg("adapters/response-cache/postgres")

export interface PostgresResponseCacheOptions {
  /**
   * PostgreSQL schema that contains the tables. The schema is created if it does not exist.
   * Default: `agent_statecharts`.
   */
  readonly schema?: string
  /** Maximum number of database connections. Default: 5. */
  readonly maxConnections?: number
}

export interface PostgresResponseCache extends ResponseCache {
  read(request: string, now: number): Promise<StoredResponse | null>
  write(request: string, response: StoredResponse): Promise<void>
  clear(): Promise<void>
  /**
   * Removes the data of deleted responses from the files of the table and shortens the files
   * (`VACUUM FULL`). Other processes cannot use the table while it is rewritten.
   */
  compact(): Promise<void>
  /** Closes the database connections. The cache cannot be used after that. */
  close(): Promise<void>
}

/** Version of the format of the cache table. A table with another version is rejected. */
const formatVersion = 1

/**
 * A row with a cached model response. The PostgreSQL driver returns `bigint` numbers as strings.
 */
interface ResponseRow {
  readonly answer: string
  readonly at: string
  readonly expires: string
}

/**
 * Creates a cache that stores the responses of models in PostgreSQL. Processes on many machines may
 * use the same schema, which can also contain the tables of `postgresJournal`. Only hashes of the
 * requests are stored. Requires the package `pg`.
 *
 * @example
 * const responseCache = postgresResponseCache("postgresql://user@db.example/agents")
 * const runner = createRunner({ responseCache })
 */
export function postgresResponseCache(
  url: string,
  options: PostgresResponseCacheOptions = {},
): PostgresResponseCache {
  checkText(
    url,
    "the URL of postgresResponseCache",
    'Pass a URL: postgresResponseCache("postgresql://...").',
  )
  const { schema = "agent_statecharts", maxConnections = 5 } = options
  const table = `${quoted(schema)}.model_responses`
  const tableSet: TableSet = {
    schema,
    create: `
      CREATE TABLE IF NOT EXISTS ${table} (
        request text PRIMARY KEY, answer text NOT NULL, at bigint NOT NULL, expires bigint NOT NULL
      );
      CREATE INDEX IF NOT EXISTS model_responses_expires ON ${table} (expires);`,
    contentTables: [table],
    format: `${quoted(schema)}.response_cache_format`,
    version: formatVersion,
    errorCode: "cache_failed",
  }
  const prepared = preparedPool(pg, url, maxConnections, tableSet)
  const typed = poolUser(prepared, tableSet, "response cache")
  return {
    read: (request, now) =>
      typed(async (pool) => {
        const { rows } = await pool.query<ResponseRow>(
          `SELECT answer, at, expires FROM ${table} WHERE request = $1 AND expires > $2`,
          [requestHash(request), Math.floor(now)],
        )
        const [row] = rows
        if (row === undefined) return null
        // The cast is safe. `write` has written the text.
        const answer = JSON.parse(row.answer) as ModelAnswer
        return { answer, at: Number(row.at), expiresAt: Number(row.expires) }
      }),
    write: (request, { answer, at, expiresAt }) =>
      typed(async (pool) => {
        await pool.query(`DELETE FROM ${table} WHERE expires <= $1`, [Math.floor(at)])
        await pool.query(
          `INSERT INTO ${table} (request, answer, at, expires) VALUES ($1, $2, $3, $4)
            ON CONFLICT (request) DO UPDATE
              SET answer = excluded.answer, at = excluded.at, expires = excluded.expires`,
          [requestHash(request), JSON.stringify(answer), Math.floor(at), Math.floor(expiresAt)],
        )
      }),
    clear: () =>
      typed(async (pool) => {
        await pool.query(`DELETE FROM ${table}`)
      }),
    compact: () => typed((pool) => rewriteTables(pool, [table])),
    close: () => prepared.pool.end(),
  }
}
