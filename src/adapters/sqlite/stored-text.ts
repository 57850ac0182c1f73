import { isUtf8 } from "node:buffer"
import { isArrayBuffer } from "node:util/types"

/**
 * Returns the bytes of a SQLite text column that was read with `CAST(... AS BLOB)`. All text
 * columns are read as blobs. In a damaged file, a text may not be valid UTF-8, and libsql would
 * crash the process when it reads the text. `what` describes the value in the error message.
 *
 * @throws Error with the code `SQLITE_CORRUPT` if the value is not a blob
 */
export function storedBytes(column: unknown, what: string): Buffer {
  // libsql returns a `Buffer` for a single row and an `ArrayBuffer` for several rows.
  if (column instanceof Uint8Array)
    return Buffer.from(column.buffer, column.byteOffset, column.length)
  if (isArrayBuffer(column)) return Buffer.from(column)
  throw corrupt(`${what} is missing`)
}

/**
 * Decodes a SQLite text column that was read with `CAST(... AS BLOB)`. `what` describes the value
 * in the error message.
 *
 * @throws Error with the code `SQLITE_CORRUPT` if the bytes are not UTF-8
 */
export function storedText(column: unknown, what: string): string {
  const bytes = storedBytes(column, what)
  if (!isUtf8(bytes)) throw corrupt(`${what} is not UTF-8`)
  return bytes.toString("utf8")
}

/**
 * Creates an error for a damaged SQLite file. It has the same code as SQLite's own errors for
 * damaged files, so that stores handle both in the same way.
 */
const corrupt = (message: string): Error =>
  Object.assign(new Error(message), { code: "SQLITE_CORRUPT" })
