import Database from "libsql"

/** A file that several processes may share. What is committed is on the disk (WAL, `synchronous = FULL`). */
export function openDatabase<Name extends string>(
  file: string,
  { schema, statements, busyTimeoutMs }: { readonly schema: string; readonly statements: Readonly<Record<Name, string>>; readonly busyTimeoutMs: number },
): OpenDatabase<Name> {
  const database = new Database(file, { timeout: busyTimeoutMs })
  database.exec("PRAGMA journal_mode = WAL")
  database.exec("PRAGMA synchronous = FULL")
  database.exec(schema)
  const prepared = Object.fromEntries(Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)])) as Readonly<Record<Name, Database.Statement>>
  const [beginWriting, beginReading] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("BEGIN")]
  const [commit, rollback] = [database.prepare("COMMIT"), database.prepare("ROLLBACK")]
  /** On a full disk SQLite has already rolled back by itself: to do it again is an error, which would hide what happened. */
  const within = <Value>(begin: Database.Statement, act: () => Value): Value => {
    begin.run()
    try {
      const value = act()
      commit.run()
      return value
    } catch (error) {
      if (database.inTransaction) rollback.run()
      throw error
    }
  }
  return {
    prepared,
    atOnce: (act) => within(beginWriting, act),
    atOneMoment: (act) => within(beginReading, act),
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
