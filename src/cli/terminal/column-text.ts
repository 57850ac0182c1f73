import textWidth from "fast-string-width"

export { textWidth }

let segmenter: Intl.Segmenter | undefined

/**
 * Splits a text into visible characters. An emoji of several code points counts as one character.
 * ASCII texts are split without a segmenter, because its creation takes 9 ms.
 */
function* charactersOf(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) return yield* text
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** Returns the longest prefix of `characters` that fits into a number of terminal columns. */
function fitting(characters: Iterable<string>, columns: number): readonly string[] {
  const kept: string[] = []
  let used = 0
  for (const character of characters) {
    used += textWidth(character)
    if (used > columns) break
    kept.push(character)
  }
  return kept
}

/** Truncates the end of a text to a number of terminal columns, with an ellipsis at the end. */
export function clip(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  if (columns < 1) return ""
  return `${fitting(charactersOf(text), columns - 1)
    .join("")
    .trimEnd()}…`
}

/** Truncates the start of a text to a number of terminal columns, with an ellipsis at the start. */
export function clipStart(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  if (columns < 1) return ""
  const kept = fitting([...charactersOf(text)].toReversed(), columns - 1)
  return `…${kept.toReversed().join("").trimStart()}`
}

/** Appends spaces to a text, up to a number of terminal columns. */
export const padTo = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - textWidth(text)))

/** Formats a duration in milliseconds as `0.4 s`, `12 s` or `3 min 20 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
