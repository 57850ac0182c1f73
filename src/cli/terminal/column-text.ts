/** Truncates a text to a number of terminal columns, with an ellipsis at the end. */
export function clip(text: string, columns: number): string {
  let used = 0
  let shown = ""
  for (const character of text) {
    const width = widthOf(character)
    if (used + width > columns - 1 && textWidth(text) > columns)
      return columns < 1 ? "" : `${shown.trimEnd()}…`
    used += width
    shown += character
  }
  return shown
}

/** Truncates the start of a text to a number of terminal columns, with an ellipsis at the start. */
export function clipStart(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  const characters = [...text]
  let used = 0
  let from = characters.length
  while (from > 0 && used + widthOf(characters[from - 1] ?? "") <= columns - 1)
    used += widthOf(characters[--from] ?? "")
  return columns < 1 ? "" : `…${characters.slice(from).join("").trimStart()}`
}

export const textWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0)

export const padTo = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - textWidth(text)))

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const without = /[\p{M}\p{Cf}]/u

/** Returns the number of terminal columns that a character occupies. */
const widthOf = (character: string): number =>
  without.test(character) ? 0 : wide.test(character) ? 2 : 1

/** Formats milliseconds as `0.4 s`, `12 s` or `3 min 20 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
