import type pg from "pg"
import { AgentStatechartsError } from "../../../errors.js"
import { createTables, formatVersion, tablesIn } from "./schema.js"

/**
 * Creates the tables of a schema if they do not exist. A lock prevents several processes from doing
 * this at the same time.
 */
export async function prepareTables(pool: pg.Pool, schema: string): Promise<void> {
  const tables = tablesIn(schema)
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `agent-statecharts ${schema}`,
    ])
    await client.query(createTables(tables))
    const { rows } = await client.query<{ readonly version: number }>(
      `SELECT version FROM ${tables.format}`,
    )
    const version = rows[0]?.version
    if (version !== formatVersion)
      throw new AgentStatechartsError(
        "journal_failed",
        `the tables in the PostgreSQL schema ${schema} have the version ${version}, but this version of agent-statecharts reads version ${formatVersion}; use another schema or another version`,
      )
    await client.query("COMMIT")
    client.release()
  } catch (error) {
    // Closes the connection, so that the server rolls the transaction back.
    client.release(true)
    throw error
  }
}
