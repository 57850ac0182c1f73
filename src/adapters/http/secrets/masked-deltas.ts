import type { Mask } from "./mask-secrets.js"

/**
 * Creates a masker for a streamed text. `push` masks secrets in a chunk and passes the masked text
 * to `write`. If the last characters of a chunk may be the start of a secret, they are stored until
 * the next chunk. `end` passes the remaining characters.
 */
export function maskedDeltas(write: (text: string) => void): {
  push(text: string, mask: Mask): void
  end(): void
} {
  let pending = ""
  return {
    push(text, mask) {
      const masked = mask.text(pending + text)
      const until = masked.length - mask.partialLength(masked)
      pending = masked.slice(until)
      if (until > 0) write(masked.slice(0, until))
    },
    end() {
      if (pending !== "") write(pending)
      pending = ""
    },
  }
}
