import { crc32 } from "node:zlib"
import { isUtf8 } from "node:buffer"
import { AgentStatechartsError } from "../../errors.js"

/**
 * Checksum of the previous text (header or record) in the journal of a run. The checksum of each
 * text is computed from the text and the previous checksum. Therefore missing, repeated and moved
 * texts are detected as well as changed texts. null if the run was started by a version without
 * checksums. The journal of such a run never contains checksums.
 */
export type ChainChecksum = number | null

const member = ',"crc":"'

/**
 * Adds a checksum to the JSON text of a non-empty array (as its last item) or object (as its member
 * `crc`). The result is valid JSON. The checksum (CRC-32) detects accidental damage, but not
 * tampering. If `chain`, the checksum of the previous text, is null, the text is not changed.
 */
export function addChecksum(
  json: string,
  chain: ChainChecksum,
): { readonly text: string; readonly chain: ChainChecksum } {
  if (chain === null) return { text: json, chain }
  const content = json.slice(0, -1)
  const checksum = crc32(content, chain)
  const digits = hexOf(checksum)
  return {
    text: json.endsWith("]") ? `${content},"${digits}"]` : `${content}${member}${digits}"}`,
    chain: checksum,
  }
}

export interface Checksum {
  readonly value: number
  /** Number of bytes that the checksum covers, counted from the start of the text. */
  readonly covers: number
}

const ofList = /,"([0-9a-f]{8})"\]$/
const ofObject = /,"crc":"([0-9a-f]{8})"\}$/

/**
 * Returns the checksum at the end of a journal text (header or record). Returns null if the text
 * has no checksum.
 */
export function checksumOf(text: Buffer): Checksum | null {
  const end = text.toString("latin1", Math.max(0, text.length - member.length - 10))
  const found = ofList.exec(end) ?? ofObject.exec(end)
  if (found === null) return null
  return { value: Number.parseInt(found[1] ?? "", 16), covers: text.length - found[0].length }
}

export const isIntact = (text: Buffer, { value, covers }: Checksum, before: number): boolean =>
  crc32(text.subarray(0, covers), before) === value

export const hexOf = (checksum: number): string => checksum.toString(16).padStart(8, "0")

/**
 * Parses a journal text (header or record) and removes its checksum. Returns undefined if the bytes
 * are not JSON.
 */
export function valueOf(text: Buffer, checksum: Checksum | null): unknown {
  if (!isUtf8(text)) return undefined
  const value = parsed(text.toString("utf8"))
  if (checksum === null || value === undefined) return value
  if (Array.isArray(value)) return value.slice(0, -1)
  const { crc: _crc, ...rest } = value as { readonly crc: unknown }
  return rest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text is not JSON. The caller throws an error with the location.
    return undefined
  }
}

export const corrupt = (message: string, cause?: unknown): AgentStatechartsError =>
  new AgentStatechartsError("journal_corrupt", message, cause === undefined ? undefined : { cause })
