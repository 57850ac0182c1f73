/**
 * Converts a text to a single line and removes characters that are invisible, change the text
 * direction, or are not allowed in XML.
 */
export const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .trim()

/** Shortens a text to at most `max` code points. A shortened text ends with an ellipsis. */
export function cut(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`
}
