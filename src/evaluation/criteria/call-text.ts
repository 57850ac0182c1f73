import type { EvalCall } from "../eval-set/eval-set.js"

/** Maximum length in characters of a text that a report quotes. Longer texts are truncated. */
const maxShown = 200

/** Truncates a text for a quotation in a report, with an ellipsis at the end. */
export function shownText(text: string): string {
  const characters = Array.from(text.slice(0, 2 * maxShown + 2))
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join("")}…` : text
}

export const callsText = (calls: readonly EvalCall[]): string =>
  calls.length === 0
    ? "no calls"
    : shownText(calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`).join(", "))
