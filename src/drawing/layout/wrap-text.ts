import { cut, plain } from "../picture/plain-text.js"
import type { Weight } from "./text-width.js"
import { textWidth } from "./text-width.js"

export interface TextBlock {
  readonly lines: readonly string[]
  readonly width: number
  /** The full text if `lines` contain only a part of it. Otherwise null. */
  readonly whole: string | null
}

export interface TextFrame {
  readonly size: number
  readonly weight?: Weight
  readonly maxWidth: number
  readonly maxLines: number
}

/**
 * Maximum number of characters of the full text, which is shown as a tooltip if the drawn text is
 * shortened.
 */
const maxWhole = 2000

/**
 * Breaks a text into lines. Words that are longer than a line are divided. If the text needs more
 * than `maxLines` lines, it is cut and ends with an ellipsis.
 */
export function wrapText(
  text: string,
  { size, weight = "regular", maxWidth, maxLines }: TextFrame,
): TextBlock {
  const whole = cut(plain(text), maxWhole)
  const fits = (line: string): boolean => textWidth(line, size, weight) <= maxWidth
  const lines: string[] = []
  let line = ""
  for (const word of whole.split(" ").flatMap((each) => pieces(each, fits))) {
    const longer = line === "" ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
    if (lines.length > maxLines) break
  }
  lines.push(line)
  const isCut = lines.length > maxLines
  const shown = isCut
    ? [...lines.slice(0, maxLines - 1), shorten(lines[maxLines - 1] ?? "", fits)]
    : lines
  return {
    lines: shown,
    width: Math.max(0, ...shown.map((each) => textWidth(each, size, weight))),
    whole: isCut ? whole : null,
  }
}

/**
 * Breaks a word into pieces that fit into one line. Prefers to break after `_`, `-`, `.` or `/`.
 */
function pieces(word: string, fits: (line: string) => boolean): readonly string[] {
  if (fits(word)) return [word]
  const found: string[] = []
  let piece = ""
  for (const character of word) {
    if (piece !== "" && !fits(piece + character)) {
      const index = Math.max(...["_", "-", ".", "/"].map((mark) => piece.lastIndexOf(mark)))
      const end = index > piece.length / 2 ? index + 1 : piece.length
      found.push(piece.slice(0, end))
      piece = piece.slice(end)
    }
    piece += character
  }
  return [...found, piece]
}

function shorten(line: string, fits: (line: string) => boolean): string {
  const characters = [...line]
  while (characters.length > 0 && !fits(`${characters.join("").trimEnd()}…`)) characters.pop()
  return `${characters.join("").trimEnd()}…`
}
