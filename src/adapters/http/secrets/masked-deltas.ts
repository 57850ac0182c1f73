import type { Mask } from "./mask-secrets.js"

/**
 * Masks secrets in a streamed text and passes the masked text to `write`. If the last characters of
 * a chunk may be the start of a secret, they are kept until the next chunk arrives.
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
