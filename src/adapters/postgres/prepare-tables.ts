import type pg from "pg"
import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/** The tables of one store (for example a journal or a response cache) in a PostgreSQL schema. */
export interface TableSet {
  /** Name of the PostgreSQL schema. */
  readonly schema: string
  /** SQL that creates the tables if they do not exist. */
  readonly create: string
  /**
   * Quoted names of the tables that contain users' data. PostgreSQL statistics are turned off for
   * their text columns. Statistics would contain values of these columns, even after the rows were
   * deleted.
   */
  readonly contentTables: readonly string[]
  /** Quoted name of the table that contains the version of the store's table format. */
  readonly format: string
  /** Version of the table format that this version of the package can read. */
  readonly version: number
  /** Code of the error that is thrown if the stored tables have another version. */
  readonly errorCode: ErrorCode
}

/** Returns a name as a quoted SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Creates the tables of a store in PostgreSQL if they do not exist. A lock prevents several
 * processes from doing this at the same time. Throws if existing tables have another version.
 */
export async function prepareTables(
  pool: pg.Pool,
  { schema, create, contentTables, format, version, errorCode }: TableSet,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `agent-statecharts ${schema}`,
    ])
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS ${quoted(schema)};
      CREATE TABLE IF NOT EXISTS ${format} (version integer NOT NULL);
      INSERT INTO ${format} SELECT ${version} WHERE NOT EXISTS (SELECT 1 FROM ${format});
      ${create}
      ${withoutStatistics(contentTables)}`)
    const { rows } = await client.query<{ readonly version: number }>(
      `SELECT version FROM ${format}`,
    )
    const stored = rows[0]?.version
    if (stored !== version)
      throw new AgentStatechartsError(
        errorCode,
        `the tables in the PostgreSQL schema ${schema} have the version ${stored}, but this version of agent-statecharts reads version ${version}; use another schema or another version`,
      )
  })
}

/** Returns SQL that turns off the PostgreSQL statistics of all text columns of the tables. */
const withoutStatistics = (tables: readonly string[]): string => `
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT attrelid::regclass AS name, attname FROM pg_attribute
      WHERE attrelid IN (${tables.map((table) => `${literal(table)}::regclass`).join()})
        AND atttypid = 'text'::regtype AND NOT attisdropped AND attstattarget IS DISTINCT FROM 0
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', found.name, found.attname);
    END LOOP;
  END $$;`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Rewrites PostgreSQL tables and their indexes without the data of deleted rows. PostgreSQL cannot
 * do this in a transaction.
 */
export async function rewriteTables(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  for (const table of tables) await pool.query(`VACUUM (FULL) ${table}`)
}

/**
 * Executes `act` in a PostgreSQL transaction on one connection of the pool. If `act` throws an
 * error, the transaction is rolled back.
 */
export async function inTransaction<Value>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const value = await act(client)
    await client.query("COMMIT")
    client.release()
    return value
  } catch (error) {
    // The closed connection causes the server to roll the transaction back.
    client.release(true)
    throw error
  }
}
