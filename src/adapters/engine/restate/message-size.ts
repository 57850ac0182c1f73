import { Buffer } from "node:buffer"

/**
 * Size limit in bytes. Restate accepts 32 MiB by default. A larger message would fail on every
 * retry.
 */
const largest = 24 * 1024 * 1024

/** Returns why a JSON text is too large for a message, or null if it fits. */
export function tooLarge(json: string): string | null {
  const bytes = Buffer.byteLength(json)
  return bytes <= largest
    ? null
    : `has ${bytes} bytes as JSON, but Restate stores at most ${largest}`
}
