import type { EvalCall } from "../eval-set/eval-set.js"

/** Maximum length of a text that the details of a report quote, in characters. */
const maxShown = 200

/** Shortens a text that the details of a report quote. */
export function shownText(text: string): string {
  const characters = Array.from(text.slice(0, 2 * maxShown + 2))
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join("")}…` : text
}

export const callsText = (calls: readonly EvalCall[]): string =>
  calls.length === 0
    ? "no calls"
    : shownText(calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`).join(", "))
