import { systemErrorCode } from "../system-error-code.js"
import Database from "libsql"
import { AgentStatechartsError } from "../../errors.js"
import type { ErrorCode } from "../../errors.js"
import { storedBytes } from "./stored-text.js"

export interface DatabaseOptions<Name extends string> {
  /** SQL that creates the tables if they do not exist. */
  readonly schema: string
  /** Upgrades a file that an older version of this package wrote. */
  readonly upgrade?: Upgrade
  /** The statements to prepare, by name. */
  readonly statements: Readonly<Record<Name, string>>
  /** Maximum time in milliseconds to wait for a lock of another process. */
  readonly busyTimeoutMs: number
  /** Error code if the tables have an unknown format. */
  readonly errorCode: ErrorCode
}

/**
 * Opens a SQLite file that several processes may share. Committed transactions are on disk (WAL,
 * `synchronous = FULL`).
 */
export function openDatabase<Name extends string>(
  file: string,
  options: DatabaseOptions<Name>,
): OpenDatabase<Name> {
  const { schema, upgrade, busyTimeoutMs } = options
  const database = new Database(file, { timeout: busyTimeoutMs })
  // BEGIN and COMMIT are not prepared. In this binding, a prepared statement that fails with
  // SQLITE_BUSY stays active, and then no reader can commit.
  const within = <Value>(begin: string, act: () => Value): Value => {
    database.exec(begin)
    try {
      const value = act()
      database.exec("COMMIT")
      return value
    } catch (error) {
      // If the disk is full, SQLite has rolled back already. A second rollback would throw and hide
      // the original error.
      if (database.inTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
  const prepared = prepareStatements(database, file, options, () => {
    if (upgrade !== undefined && isOlder(database, upgrade))
      within("BEGIN IMMEDIATE", () => {
        // Another process may have upgraded the file in the meantime.
        if (isOlder(database, upgrade)) database.exec(upgrade.statements)
      })
    database.exec(schema)
  })
  return {
    prepared,
    atOnce: (act) => within("BEGIN IMMEDIATE", act),
    atOneMoment: (act) => within("BEGIN", act),
    close() {
      try {
        // Moves the WAL into the file as far as other connections allow, without waiting for them.
        database.exec("PRAGMA busy_timeout = 0")
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
      } finally {
        database.close()
      }
    },
  }
}

/** An upgrade of one table from an older format. */
export interface Upgrade {
  readonly table: string
  /** Column names of the table in the older format, separated by commas. */
  readonly columns: string
  readonly statements: string
}

function isOlder(database: Database.Database, { table, columns }: Upgrade): boolean {
  const found = database
    .prepare("SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?)")
    .all(table) as readonly { readonly name: unknown }[]
  return found.map(({ name }) => storedBytes(name, "a column's name").toString()).join() === columns
}

export interface OpenDatabase<Name extends string> {
  readonly prepared: Readonly<Record<Name, Database.Statement>>
  /** Runs `act` in a write transaction. If `act` throws, nothing is written. */
  atOnce<Value>(act: () => Value): Value
  /** Runs `act` in a read transaction, so that all its reads see the same state. */
  atOneMoment<Value>(act: () => Value): Value
  /**
   * Closes the connection. If no other connection uses the file, the file alone is then a complete
   * copy.
   */
  close(): void
}

function prepareStatements<Name extends string>(
  database: Database.Database,
  file: string,
  { statements, errorCode }: DatabaseOptions<Name>,
  createTables: () => void,
): Readonly<Record<Name, Database.Statement>> {
  try {
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = FULL")
    createTables()
    return Object.fromEntries(
      Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Record<Name, Database.Statement>
  } catch (error) {
    database.close()
    // The statements fit the tables of this version, so an SQL error means that the tables differ.
    if (systemErrorCode(error) !== "SQLITE_ERROR") throw error
    throw new AgentStatechartsError(
      errorCode,
      `the tables of ${file} belong to another program or to another version of this package; use another file`,
      { cause: error },
    )
  }
}
