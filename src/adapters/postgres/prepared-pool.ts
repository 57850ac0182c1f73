import type { default as Pg, Pool } from "pg"
import { storeFailed } from "../store-failed.js"
import type { TableSet } from "./prepare-tables.js"
import { prepareTables } from "./prepare-tables.js"

/** The PostgreSQL connection pool of a store. The tables of the store are created on first use. */
export interface PreparedPool {
  readonly pool: Pool
  /**
   * Creates the store's tables if no earlier call has created them. After a failure, the next call
   * tries again.
   */
  open(): Promise<void>
}

/**
 * A function that calls `act` with a connection pool, and returns the result of `act`. It ensures
 * that the tables of the store exist before it calls `act`.
 */
export type UsePool = <Value>(act: (pool: Pool) => Promise<Value>) => Promise<Value>

/**
 * Returns the function through which a store uses its connection pool. The function first creates
 * the tables of the store if necessary. It converts every error to an `AgentStatechartsError` with
 * the code `errorCode`. `store` names the store in messages, for example `response cache`.
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

/**
 * Creates a PostgreSQL pool of at most `maxConnections` connections for a store. The tables of the
 * store are created on first use.
 */
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
