import { isUtf8 } from "node:buffer"
import { isArrayBuffer } from "node:util/types"

/**
 * The bytes of a text that was read with `CAST(... AS BLOB)`. Every text is read in this way: the binding ends the process for a text that is
 * not UTF-8, as a damaged file may hold.
 *
 * @throws an error with the code `SQLITE_CORRUPT` for a column that holds something else.
 */
export function storedBytes(column: unknown, what: string): Buffer {
  // The binding returns a buffer for one row and the memory of a buffer for many.
  if (column instanceof Uint8Array)
    return Buffer.from(column.buffer, column.byteOffset, column.length)
  if (isArrayBuffer(column)) return Buffer.from(column)
  throw damaged(`${what} is missing`)
}

/** @throws an error with the code `SQLITE_CORRUPT` for bytes that are not UTF-8. */
export function storedText(column: unknown, what: string): string {
  const bytes = storedBytes(column, what)
  if (!isUtf8(bytes)) throw damaged(`${what} is not UTF-8`)
  return bytes.toString("utf8")
}

const damaged = (message: string): Error =>
  Object.assign(new Error(message), { code: "SQLITE_CORRUPT" })
