import type { Mask } from "../../http/secrets/mask-secrets.js"

/**
 * Masks secrets in a streamed text. Text that may be the start of a secret is held back until the
 * next chunk.
 */
export function maskedDeltas(tell: (text: string) => void): {
  push(text: string, mask: Mask): void
  end(): void
} {
  let held = ""
  return {
    push(text, mask) {
      const masked = mask.text(held + text)
      const until = masked.length - mask.begun(masked)
      held = masked.slice(until)
      if (until > 0) tell(masked.slice(0, until))
    },
    end() {
      if (held !== "") tell(held)
      held = ""
    },
  }
}
