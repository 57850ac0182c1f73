import type { Mask } from "../../http/mask-secrets.js"

/** Tells a text piece by piece without its secrets: what may be the beginning of one is held back until it is known. */
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
