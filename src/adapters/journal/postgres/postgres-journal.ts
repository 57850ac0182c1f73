import type { QueryResultRow } from "pg"
import type { AgentStatechartsError } from "../../../errors.js"
import { checkText } from "../../../machines/data/check-arguments.js"
import { runExists, runLost, runOwned } from "../../../runtime/journal/journal-errors.js"
import type { CompleteJournal } from "../../../runtime/journal/journal.js"
import { journalFailed } from "../journal-failed.js"
import { OwnerLock } from "./owner-lock.js"
import { lockIsHeldSql } from "../../postgres/advisory-locks.js"
import { preparedPool } from "../../postgres/prepared-pool.js"
import { rewriteTables } from "../../postgres/prepare-tables.js"
import { pg } from "./pg.js"
import { RunFollowers } from "./run-followers.js"
import { RunMessages } from "./run-messages.js"
import { conditionOf, createTables, formatVersion, tablesIn } from "./schema.js"
import type { ListedRunRow, StoredRow } from "./stored-rows.js"
import { runOf, summaryOf, ownerTextOf } from "./stored-rows.js"
import { insertRun, replaceRun } from "./store-run.js"
import type { LockedRun } from "./write-queue.js"
import { WriteQueue } from "./write-queue.js"

export interface PostgresJournalOptions {
  /**
   * PostgreSQL schema that contains the tables. The schema is created if it does not exist.
   * Default: `agent_statecharts`.
   */
  readonly schema?: string
  /**
   * Maximum number of database connections. The connection that marks this process as the owner of
   * its runs is not counted. Default: 10.
   */
  readonly maxConnections?: number
}

export interface PostgresJournal extends CompleteJournal {
  /**
   * Removes the data of deleted runs from the files of the tables and shortens the files (`VACUUM
   * FULL`). Charts that only deleted runs have used are removed too. Other processes cannot use a
   * table while it is rewritten.
   */
  compact(): Promise<void>
  /** Releases all runs that this process owns and closes the database connections. */
  close(): Promise<void>
}

/**
 * Creates a journal (a store of runs) in PostgreSQL. Processes on many machines may use the same
 * schema. A record counts as stored when its transaction is committed. A process owns its runs
 * until its connection to the database is closed. Therefore connect directly or through a
 * connection pooler in session mode. Requires the package `pg`.
 *
 * @example
 * const journal = postgresJournal("postgresql://user@db.example/agents")
 * const runner = createRunner({ journal })
 */
export function postgresJournal(
  url: string,
  options: PostgresJournalOptions = {},
): PostgresJournal {
  checkText(url, "the URL of postgresJournal", 'Pass a URL: postgresJournal("postgresql://...").')
  const { schema = "agent_statecharts", maxConnections = 10 } = options
  const tables = tablesIn(schema)
  const contentTables = [
    tables.runs,
    tables.headers,
    tables.charts,
    tables.records,
    tables.messages,
  ]
  const failure = (error: unknown): AgentStatechartsError =>
    journalFailed(`the PostgreSQL schema ${schema} cannot be accessed`, error)
  const { pool, open } = preparedPool(pg, url, maxConnections, {
    schema,
    create: createTables(tables),
    contentTables,
    format: tables.format,
    version: formatVersion,
    errorCode: "journal_failed",
  })
  const owned = new Map<string, LockedRun>()
  /** SQL condition that is true if no running process owns the run. */
  const isFree = `(runs.owner IS NULL OR NOT ${lockIsHeldSql("runs.owner")})`
  const lock = new OwnerLock(
    url,
    tables,
    () => {
      for (const run of owned.values()) run.failure = runLost(run.runId)
    },
    (notification) => messages.notified(notification),
  )
  const writes = new WriteQueue(pool, tables, schema, failure)
  const followers = new RunFollowers(url, schema)

  const query = async <Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> => {
    try {
      await open()
      return (await pool.query<Row>(sql, [...values])).rows
    } catch (error) {
      throw failure(error)
    }
  }

  /**
   * Returns a description of the process that owns a run, for messages. Returns null if no running
   * process owns the run.
   */
  const ownerOf = async (id: string): Promise<string | null> => {
    const [row] = await query<{ readonly owner: string }>(
      `SELECT owners.owner FROM ${tables.runs} AS runs JOIN ${tables.owners} AS owners ON owners.key = runs.owner
        WHERE runs.id = $1 AND ${lockIsHeldSql("runs.owner")}`,
      [id],
    )
    return row === undefined ? null : ownerTextOf(row.owner)
  }

  const exists = async (id: string): Promise<boolean> =>
    (await query(`SELECT 1 FROM ${tables.runs} WHERE id = $1`, [id])).length > 0

  const lockKey = async (): Promise<string> => {
    try {
      await open()
      return await lock.key()
    } catch (error) {
      throw failure(error)
    }
  }

  const messages = new RunMessages(query, tables, lockKey)

  const acquire = async (runId: string): Promise<void> => {
    if (owned.has(runId)) throw runOwned(runId, null)
    const id = text(runId)
    const key = await lockKey()
    const [row] = await query<{ readonly number: string }>(
      `UPDATE ${tables.runs} AS runs SET owner = $2 WHERE id = $1 AND ${isFree} RETURNING number`,
      [id, key],
    )
    if (row === undefined) {
      if (await exists(id)) throw runOwned(runId, await ownerOf(id))
      return
    }
    // The count is read after the run was acquired, because its last owner can no longer add
    // records.
    const [count] = await query<{ readonly records: number }>(
      `SELECT coalesce(max(position) + 1, 0) AS records FROM ${tables.records} WHERE run = $1`,
      [row.number],
    )
    owned.set(runId, {
      runId,
      number: row.number,
      key,
      records: count?.records ?? 0,
      failure: null,
    })
  }

  return {
    async create(header) {
      const { runId } = header
      if (owned.has(runId)) throw runExists(runId)
      const key = await lockKey()
      const row = await insertRun(query, tables, {
        run: { header, records: [] },
        status: { status: "running", pending: [], at: header.at },
        owner: key,
      })
      if (row === null) throw runExists(runId)
      owned.set(runId, { runId, number: row, key, records: 0, failure: null })
    },

    async append(runId, record) {
      const run = owned.get(runId)
      if (run === undefined) throw runLost(runId)
      await writes.add(run, text(record), null)
    },

    async load(runId) {
      await writes.idle()
      const [row] = await query<StoredRow>(
        `SELECT headers.header, charts.chart,
           (SELECT array_agg(record ORDER BY position) FROM ${tables.records} WHERE run = runs.number) AS records
         FROM ${tables.runs} AS runs JOIN ${tables.headers} AS headers ON headers.run = runs.number
           JOIN ${tables.charts} AS charts ON charts.hash = headers.chart WHERE runs.id = $1`,
        [text(runId)],
      )
      return row === undefined ? null : runOf(row)
    },

    acquire,

    async release(runId) {
      const run = owned.get(runId)
      if (run === undefined) return
      await writes.idle()
      owned.delete(runId)
      await query(`UPDATE ${tables.runs} SET owner = NULL WHERE number = $1 AND owner = $2`, [
        run.number,
        run.key,
      ])
    },

    async note(runId, status) {
      const run = owned.get(runId)
      if (run !== undefined) await writes.add(run, null, status)
    },

    async store(run, status) {
      const { runId } = run.header
      const locked = owned.get(runId)
      const records = run.records.length
      if (locked === undefined) {
        const key = await lockKey()
        const number = await insertRun(query, tables, { run, status, owner: key })
        if (number === null) throw runExists(runId)
        owned.set(runId, { runId, number, key, records, failure: null })
        return
      }
      await writes.idle()
      if (locked.failure !== null) throw locked.failure
      if (!(await replaceRun(query, tables, { run, status, locked }))) throw runLost(runId)
      locked.records = records
    },

    async list(filter = {}) {
      await writes.idle()
      const { where, values } = conditionOf(filter)
      const rows = await query<ListedRunRow>(
        `SELECT runs.id, runs.chart, runs.started_at, runs.status, runs.requests, runs.settled_at, runs.wake_at, runs.caller, owners.owner
         FROM ${tables.runs} AS runs LEFT JOIN ${tables.owners} AS owners ON owners.key = runs.owner AND ${lockIsHeldSql("owners.key")}
         WHERE ${where} ORDER BY runs.number`,
        values,
      )
      return rows.map(summaryOf)
    },

    async delete(runId) {
      if (owned.has(runId)) throw runOwned(runId, null)
      const id = text(runId)
      const deleted = await query(
        `DELETE FROM ${tables.runs} AS runs WHERE id = $1 AND ${isFree} RETURNING 1`,
        [id],
      )
      if (deleted.length === 0 && (await exists(id))) throw runOwned(runId, await ownerOf(id))
    },

    async watch(runId, onChange) {
      const [row] = await query<{ readonly number: string }>(
        `SELECT number FROM ${tables.runs} WHERE id = $1`,
        [text(runId)],
      )
      if (row === undefined) return () => {}
      try {
        return await followers.follow(row.number, onChange)
      } catch (error) {
        throw failure(error)
      }
    },

    messages,

    async compact() {
      await query(
        `DELETE FROM ${tables.charts} AS charts WHERE NOT EXISTS (SELECT 1 FROM ${tables.headers} AS headers WHERE headers.chart = charts.hash)`,
        [],
      )
      try {
        await rewriteTables(pool, contentTables)
      } catch (error) {
        throw failure(error)
      }
    },

    async close() {
      await messages.idle()
      await writes.idle()
      try {
        await followers.close()
        await lock.close()
        await pool.end()
      } catch (error) {
        throw failure(error)
      }
    },
  }
}

const text = (value: unknown): string => JSON.stringify(value)
