import { createRequire } from "node:module"
import { AgentStatechartsError } from "../../errors.js"
import { sqliteErrorCode } from "./error-code.js"

/** A prepared SQL statement of `node:sqlite` or `libsql`. */
export interface Statement {
  run(...values: readonly SqlValue[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): unknown[]
}

export type SqlValue = string | number | null

/** A connection to a SQLite file. Its errors have a `code` such as `SQLITE_BUSY`. */
export interface SqliteConnection {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  readonly inTransaction: boolean
  close(): unknown
}

/**
 * Opens a SQLite file with `node:sqlite`, or with the optional package `libsql` if this version of
 * Node has no suitable `node:sqlite`.
 *
 * @throws AgentStatechartsError `package_missing` if neither is available
 */
export function connect(file: string): SqliteConnection {
  const builtin = nodeSqlite()
  if (builtin !== null) return connectNodeSqlite(file, builtin)
  const Libsql = requireLibsql()
  return new Libsql(file)
}

/**
 * The part of the API of `node:sqlite` that this package uses. It is declared here, because the
 * types of Node 20 do not include it.
 */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): Statement
  readonly isTransaction: boolean
  close(): void
}

/**
 * Returns the module `node:sqlite`. Returns null if the module is missing or too old. Before Node
 * 22.16, databases have no property `isTransaction`.
 */
function nodeSqlite(): NodeSqlite | null {
  // `import` would fail in versions of Node without this module, and it is asynchronous.
  const found = process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined
  if (found === undefined) return null
  const probe = new found.DatabaseSync(":memory:")
  try {
    return typeof probe.isTransaction === "boolean" ? found : null
  } finally {
    probe.close()
  }
}

function connectNodeSqlite(file: string, { DatabaseSync }: NodeSqlite): SqliteConnection {
  const database = named(() => new DatabaseSync(file))
  return {
    exec: (sql) => named(() => database.exec(sql)),
    prepare(sql) {
      const statement = named(() => database.prepare(sql))
      return {
        run: (...values) => named(() => statement.run(...values)),
        get: (...values) => named(() => statement.get(...values)),
        all: (...values) => named(() => statement.all(...values)),
      }
    },
    get inTransaction() {
      return database.isTransaction
    },
    close: () => database.close(),
  }
}

/**
 * Calls `act` and adds a `code` such as `SQLITE_BUSY` to its errors. Errors of `libsql` have this
 * code, but errors of `node:sqlite` have only a number.
 */
function named<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number")
      throw Object.assign(cause, { code: sqliteErrorCode(cause.errcode) })
    throw cause
  }
}

const require = createRequire(import.meta.url)

function requireLibsql(): new (file: string) => SqliteConnection {
  try {
    // The cast is safe. The package has the interface of better-sqlite3, which this type describes.
    return require("libsql") as new (file: string) => SqliteConnection
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== "MODULE_NOT_FOUND" || !message.startsWith("Cannot find module 'libsql'"))
      throw cause
    throw new AgentStatechartsError(
      "package_missing",
      `SQLite needs Node 22.16 or newer, or the package "libsql". This is Node ${process.versions.node}, and "libsql" is not installed. Install it: npm install libsql@0.5`,
      { cause },
    )
  }
}
