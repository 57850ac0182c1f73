import { systemErrorCode } from "../system-error-code.js"
import { AgentStatechartsError } from "../../errors.js"
import type { ErrorCode } from "../../errors.js"
import type { SqliteConnection, Statement } from "./connect.js"
import { connect } from "./connect.js"
import { storedBytes } from "./stored-text.js"

export interface DatabaseOptions<Name extends string> {
  /** SQL that creates the tables if they do not exist. */
  readonly schema: string
  /** Upgrade for a file that was created by an older version of this package. */
  readonly upgrade?: Upgrade
  /** SQL statements to prepare when the database is opened, by name. */
  readonly statements: Readonly<Record<Name, string>>
  /** Maximum time in milliseconds to wait for a database lock of another process. */
  readonly busyTimeoutMs: number
  /** Code of the error that is thrown if the tables in the file have an unknown format. */
  readonly errorCode: ErrorCode
}

/**
 * Opens a SQLite file, creates its tables and prepares its statements. Several processes may use
 * the file. A transaction is on disk when its commit returns (WAL mode, `synchronous = FULL`).
 */
export function openDatabase<Name extends string>(
  file: string,
  options: DatabaseOptions<Name>,
): OpenDatabase<Name> {
  const { schema, upgrade } = options
  const database = connect(file)
  // BEGIN and COMMIT are not prepared. In libsql, a prepared statement that fails with SQLITE_BUSY
  // stays active, and then other connections cannot commit.
  const within = <Value>(begin: string, act: () => Value): Value => {
    database.exec(begin)
    try {
      const value = act()
      database.exec("COMMIT")
      return value
    } catch (error) {
      // If the disk is full, SQLite has already rolled back. A second rollback would throw and hide
      // the original error.
      if (database.inTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
  const prepared = prepareStatements(database, file, options, () => {
    if (upgrade !== undefined && isOlder(database, upgrade))
      within("BEGIN IMMEDIATE", () => {
        // Another process may have upgraded the file after the first check.
        if (isOlder(database, upgrade)) database.exec(upgrade.statements)
      })
    database.exec(schema)
  })
  return {
    prepared,
    writeTransaction: (act) => within("BEGIN IMMEDIATE", act),
    readTransaction: (act) => within("BEGIN", act),
    vacuum() {
      database.exec("VACUUM")
      const { busy } = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as {
        readonly busy: number
      }
      // A reader of another connection still needs the WAL, which contains the deleted data.
      if (busy !== 0)
        throw Object.assign(new Error("the write-ahead log is in use"), { code: "SQLITE_BUSY" })
    },
    close() {
      try {
        // The WAL is copied into the file as far as possible, without waiting for other
        // connections.
        database.exec("PRAGMA busy_timeout = 0")
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
      } finally {
        database.close()
      }
    },
  }
}

/**
 * An upgrade of a SQLite table from an older format. It is applied if the table has exactly the
 * columns of the older format.
 */
export interface Upgrade {
  readonly table: string
  /** Column names of the table in the older format, separated by commas, for example `id,name`. */
  readonly columns: string
  readonly statements: string
}

function isOlder(database: SqliteConnection, { table, columns }: Upgrade): boolean {
  const found = database
    .prepare("SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?)")
    .all(table) as readonly { readonly name: unknown }[]
  return found.map(({ name }) => storedBytes(name, "a column's name").toString()).join() === columns
}

export interface OpenDatabase<Name extends string> {
  readonly prepared: Readonly<Record<Name, Statement>>
  /** Executes `act` in a write transaction. If `act` throws, the transaction is rolled back. */
  writeTransaction<Value>(act: () => Value): Value
  /**
   * Executes `act` in a read transaction, so that all of its reads return data from the same point
   * in time.
   */
  readTransaction<Value>(act: () => Value): Value
  /** Removes the data of deleted rows from the SQLite file and shortens the file. */
  vacuum(): void
  /**
   * Closes the database connection. If no other connection uses the file, the file then contains
   * all data and can be copied.
   */
  close(): void
}

function prepareStatements<Name extends string>(
  database: SqliteConnection,
  file: string,
  { statements, errorCode, busyTimeoutMs }: DatabaseOptions<Name>,
  createTables: () => void,
): Readonly<Record<Name, Statement>> {
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = FULL")
    createTables()
    return Object.fromEntries(
      Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Record<Name, Statement>
  } catch (error) {
    database.close()
    // The statements are valid for the current tables. An SQL error means that the tables of the
    // file have another format.
    if (systemErrorCode(error) !== "SQLITE_ERROR") throw error
    throw new AgentStatechartsError(
      errorCode,
      `the tables of ${file} belong to another program or to another version of this package; use another file`,
      { cause: error },
    )
  }
}
