import Database from "libsql"
import { storedBytes } from "./stored-text.js"

/** A file that several processes may share. What is committed is on the disk (WAL, `synchronous = FULL`). */
export function openDatabase<Name extends string>(
  file: string,
  {
    schema,
    upgrade,
    statements,
    busyTimeoutMs,
  }: {
    readonly schema: string
    /** Changes a file that an older version made. */
    readonly upgrade?: Upgrade
    readonly statements: Readonly<Record<Name, string>>
    readonly busyTimeoutMs: number
  },
): OpenDatabase<Name> {
  const database = new Database(file, { timeout: busyTimeoutMs })
  /** As texts: a prepared statement that was refused while another process writes stays begun in this binding, and then no reader can commit. */
  const within = <Value>(begin: string, act: () => Value): Value => {
    database.exec(begin)
    try {
      const value = act()
      database.exec("COMMIT")
      return value
    } catch (error) {
      // On a full disk SQLite has already rolled back by itself: to do it again is an error, which would hide what happened.
      if (database.inTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
  const prepared = preparedOf(database, statements, () => {
    if (upgrade !== undefined && isOlder(database, upgrade))
      within("BEGIN IMMEDIATE", () => {
        // Another process may have been faster.
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
        // What other connections do not need is written into the file, without waiting for them.
        database.exec("PRAGMA busy_timeout = 0")
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
      } finally {
        database.close()
      }
    },
  }
}

export interface Upgrade {
  readonly table: string
  /** The columns of the table in the older version, by comma. */
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
  /** Writes all of it or nothing; nobody else writes meanwhile. */
  atOnce<Value>(act: () => Value): Value
  /** Reads what was there at one moment. */
  atOneMoment<Value>(act: () => Value): Value
  /** Ends the connection. If no other connection uses the file, a copy of the file alone is then complete. */
  close(): void
}

function preparedOf<Name extends string>(
  database: Database.Database,
  statements: Readonly<Record<Name, string>>,
  makeTables: () => void,
): Readonly<Record<Name, Database.Statement>> {
  try {
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = FULL")
    makeTables()
    return Object.fromEntries(
      Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Record<Name, Database.Statement>
  } catch (error) {
    database.close()
    // The statements are right for the tables that they were written for.
    if ((error as { readonly code?: unknown }).code !== "SQLITE_ERROR") throw error
    throw new Error(
      "its tables belong to another program or to another version of this package; use another file",
      { cause: error },
    )
  }
}
