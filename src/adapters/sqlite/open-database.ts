import Database from "libsql"

/** A file that several processes may share. What is committed is on the disk (WAL, `synchronous = FULL`). */
export function openDatabase<Name extends string>(
  file: string,
  {
    schema,
    statements,
    busyTimeoutMs,
  }: {
    readonly schema: string
    readonly statements: Readonly<Record<Name, string>>
    readonly busyTimeoutMs: number
  },
): OpenDatabase<Name> {
  const database = new Database(file, { timeout: busyTimeoutMs })
  const prepared = preparedOf(database, schema, statements)
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
  return {
    prepared,
    atOnce: (act) => within("BEGIN IMMEDIATE", act),
    atOneMoment: (act) => within("BEGIN", act),
    close: () => void database.close(),
  }
}

export interface OpenDatabase<Name extends string> {
  readonly prepared: Readonly<Record<Name, Database.Statement>>
  /** Writes all of it or nothing; nobody else writes meanwhile. */
  atOnce<Value>(act: () => Value): Value
  /** Reads what was there at one moment. */
  atOneMoment<Value>(act: () => Value): Value
  close(): void
}

function preparedOf<Name extends string>(
  database: Database.Database,
  schema: string,
  statements: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Database.Statement>> {
  try {
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = FULL")
    database.exec(schema)
    return Object.fromEntries(
      Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Record<Name, Database.Statement>
  } catch (error) {
    database.close()
    // The statements are right for the tables that they were written for.
    if ((error as { readonly code?: unknown }).code !== "SQLITE_ERROR") throw error
    throw new Error(
      "its tables are those of another program, or of another version of this one; use another file",
      { cause: error },
    )
  }
}
