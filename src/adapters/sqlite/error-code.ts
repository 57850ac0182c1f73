/** Names of the SQLite error codes that this package handles. */
const names: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
}

/**
 * Returns the name of a numeric SQLite error code. For an extended code, returns the name of its
 * primary code. For example, the name of 1544 is `SQLITE_READONLY`.
 */
export const sqliteErrorCode = (code: number): string =>
  names[code & 0xff] ?? `SQLITE_ERROR_${code}`
