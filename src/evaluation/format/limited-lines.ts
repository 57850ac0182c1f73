/** Maximum length of a report, in characters. GitHub accepts 65,536 in a comment. */
const maxLength = 60_000
/** Number of characters that are reserved for the last lines, which report how much was omitted. */
const reserved = 200

/** Collects the lines of a text whose total length is limited. */
export interface LimitedLines {
  /**
   * Adds lines, unless the text would exceed its maximum length. Returns whether the lines were
   * added.
   */
  add(text: string): boolean
  /** Adds a short last line. It always fits, because space is reserved for it. */
  end(text: string): void
  text(): string
}

/** Creates a text of limited length that begins with a short first line. */
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

/** Formats a row of a Markdown table. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`
