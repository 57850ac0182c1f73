import type { default as Pg, Pool } from "pg"
import { storeFailed } from "../store-failed.js"
import type { TableSet } from "./prepare-tables.js"
import { prepareTables } from "./prepare-tables.js"

/** The connections of a store. */
export interface PreparedPool {
  readonly pool: Pool
  /** Creates the tables of the store before their first use. After a failure, it tries again. */
  open(): Promise<void>
}

/** Executes a function with a pool whose tables exist. */
export type UsePool = <Value>(act: (pool: Pool) => Promise<Value>) => Promise<Value>

/**
 * Returns a function that uses a pool. It creates the tables first, and converts errors to errors
 * with the code of the tables. `store` is the name of the store in messages.
 */
export const poolUser =
  (
    { pool, open }: PreparedPool,
    { schema, errorCode }: Pick<TableSet, "schema" | "errorCode">,
    store: string,
  ): UsePool =>
  async (act) => {
    try {
      await open()
      return await act(pool)
    } catch (cause) {
      throw storeFailed(errorCode, `the ${store} in the PostgreSQL schema ${schema}`, cause)
    }
  }

/** Creates a pool of at most `maxConnections` connections for a store with these tables. */
export function preparedPool(
  pg: typeof Pg,
  url: string,
  maxConnections: number,
  tables: TableSet,
): PreparedPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  // The failure of an idle connection has no caller. The next query opens another connection.
  pool.on("error", () => {})
  let opened: Promise<void> | null = null
  return {
    pool,
    open: () =>
      (opened ??= prepareTables(pool, tables).catch((error: unknown) => {
        opened = null
        throw error
      })),
  }
}
