import type { Readable } from "node:stream"
import { pipeline } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

/**
 * The text of a response body. If the body is larger than the limit, `text` contains the text up to
 * the limit. `ended` is the reason why reading ended.
 */
export interface ReadBody {
  readonly text: string
  readonly ended: "complete" | "over-limit" | "unknown-encoding"
}

/**
 * Reads and decompresses the body of an HTTP response. Stops after `limit` bytes of decompressed
 * data, so that a large or maliciously compressed response cannot exhaust the memory. `onText`
 * receives the text as it arrives.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  limit: number,
  onText?: (text: string) => void,
): Promise<ReadBody> {
  // A stream that is destroyed early emits an error, which can be ignored.
  body.on("error", () => undefined)
  const source = decoded(body, contentEncoding.trim().toLowerCase())
  if (source === null) {
    body.destroy()
    return { text: "", ended: "unknown-encoding" }
  }
  const chunks: Buffer[] = []
  // A decoder is needed, because a character may be split between two chunks.
  const decoder = onText === undefined ? null : new TextDecoder()
  let size = 0
  for await (const chunk of source) {
    const room = limit - size
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    size += chunk.length
    // The end of the loop destroys the stream.
    if (size > limit) return { text: textOf(chunks), ended: "over-limit" }
    if (decoder !== null) onText?.(decoder.decode(chunk, { stream: true }))
  }
  return { text: textOf(chunks), ended: "complete" }
}

function decoded(body: Readable, encoding: string): Readable | null {
  switch (encoding) {
    case "":
    case "identity":
      return body
    case "gzip":
    case "x-gzip":
      return pipeline(body, createGunzip(), () => undefined)
    case "deflate":
      return pipeline(body, createInflate(), () => undefined)
    case "br":
      return pipeline(body, createBrotliDecompress(), () => undefined)
    default:
      return null
  }
}

/**
 * Decodes UTF-8 bytes and removes the byte order mark. Invalid bytes become replacement characters.
 */
const textOf = (chunks: readonly Buffer[]): string =>
  new TextDecoder().decode(Buffer.concat(chunks))
