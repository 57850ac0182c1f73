/** Maximum length of a report, in characters. GitHub accepts 65,536 in a comment. */
const maxLength = 60_000
/** Room for the last lines, which count what is left out. */
const reserved = 200

/** Lines of a text with a maximum length. */
export interface LimitedLines {
  /** Adds lines if there is room for them. Returns whether they were added. */
  add(text: string): boolean
  /** Adds a short last line. */
  end(text: string): void
  text(): string
}

/** Creates lines that begin with a short first text. */
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
