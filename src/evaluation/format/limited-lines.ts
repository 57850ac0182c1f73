/**
 * Maximum length of a Markdown report in characters. A comment on GitHub can have 65,536
 * characters.
 */
const maxLength = 60_000
/** Number of characters that are reserved for the last lines, which state how much was omitted. */
const reserved = 200

/** Builds a text from lines, with a limit on the total length. */
export interface LimitedLines {
  /**
   * Adds a line or several lines, unless the text would exceed its maximum length. Returns whether
   * the lines were added.
   */
  add(text: string): boolean
  /**
   * Adds a short last line to the text, even if `add` accepts no more lines. Space is reserved for
   * this line.
   */
  end(text: string): void
  text(): string
}

/** Creates a text of limited length that begins with the line `first`. */
export function limitedLines(first: string): LimitedLines {
  const lines = [first]
  let length = first.length + 1
  return {
    add(text) {
      if (length + text.length + 1 > maxLength - reserved) return false
      lines.push(text)
      length += text.length + 1
      return true
    },
    end: (text) => void lines.push("", text),
    text: () => `${lines.join("\n")}\n`,
  }
}

/** Formats the cells of a row in a Markdown table. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`
