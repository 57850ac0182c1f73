import type { Readable } from "node:stream"
import { pipeline } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

/** A body as text, or what kept it from being read to its end. `text` holds what was read. */
export interface ReadBody {
  readonly text: string
  readonly ended: "complete" | "over-limit" | "unknown-encoding"
}

/**
 * Reads a body to its end, or until it is larger than `limit` bytes after decompression: then the stream is destroyed, so
 * that neither the rest of a large answer nor the content of a small bomb is ever held. `onText` is told the text as it comes.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  limit: number,
  onText?: (text: string) => void,
): Promise<ReadBody> {
  // A stream that is destroyed early says so by an error event, to nobody's use.
  body.on("error", () => undefined)
  const source = decoded(body, contentEncoding.trim().toLowerCase())
  if (source === null) {
    body.destroy()
    return { text: "", ended: "unknown-encoding" }
  }
  const chunks: Buffer[] = []
  // A character may come in two chunks.
  const decoder = onText === undefined ? null : new TextDecoder()
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const room = limit - size
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    size += chunk.length
    // Leaving the loop destroys the stream.
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

/** UTF-8 without its mark; bytes that are none become replacement characters. */
const textOf = (chunks: readonly Buffer[]): string =>
  new TextDecoder().decode(Buffer.concat(chunks))
