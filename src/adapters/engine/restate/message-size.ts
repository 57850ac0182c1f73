import { Buffer } from "node:buffer"

/**
 * Maximum size of a message to Restate in bytes. By default, Restate accepts 32 MiB. A larger
 * message would fail at every retry.
 */
const largest = 24 * 1024 * 1024

/**
 * Returns an error message if a JSON text is too large for a Restate message. Otherwise returns
 * null.
 */
export function tooLarge(json: string): string | null {
  const bytes = Buffer.byteLength(json)
  return bytes <= largest
    ? null
    : `has ${bytes} bytes as JSON, but Restate stores at most ${largest}`
}
