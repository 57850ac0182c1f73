import { isUtf8 } from "node:buffer"
import { isArrayBuffer } from "node:util/types"

/**
 * Returns the bytes of a text that was read with `CAST(... AS BLOB)`. Every text is read this way,
 * because the binding crashes the process on text that is not UTF-8, which a damaged file may
 * contain.
 *
 * @throws Error with the code `SQLITE_CORRUPT` if the column is not a blob.
 */
export function storedBytes(column: unknown, what: string): Buffer {
  // For one row the binding returns a Buffer, for many rows an ArrayBuffer.
  if (column instanceof Uint8Array)
    return Buffer.from(column.buffer, column.byteOffset, column.length)
  if (isArrayBuffer(column)) return Buffer.from(column)
  throw corrupt(`${what} is missing`)
}

/**
 * Returns a text that was read with `CAST(... AS BLOB)`.
 *
 * @throws Error with the code `SQLITE_CORRUPT` if the bytes are not UTF-8.
 */
export function storedText(column: unknown, what: string): string {
  const bytes = storedBytes(column, what)
  if (!isUtf8(bytes)) throw corrupt(`${what} is not UTF-8`)
  return bytes.toString("utf8")
}

/** Creates an error like those of SQLite for damaged files. The stores convert both the same way. */
const corrupt = (message: string): Error =>
  Object.assign(new Error(message), { code: "SQLITE_CORRUPT" })
