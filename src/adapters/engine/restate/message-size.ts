import { Buffer } from "node:buffer"

/** Restate takes messages of up to 32 MiB unless it is configured otherwise. One that is larger would fail each time it is sent, for ever. */
const largest = 24 * 1024 * 1024

/** What is to be said of a JSON text that is too large for a message; null for one that fits. */
export function tooLarge(json: string): string | null {
  const bytes = Buffer.byteLength(json)
  return bytes <= largest
    ? null
    : `has ${bytes} bytes as JSON, but Restate stores at most ${largest}`
}
