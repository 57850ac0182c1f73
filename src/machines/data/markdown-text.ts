import { oneLine } from "./safe-text.js"

/**
 * Formats an untrusted text as inline code of Markdown, on one line. Inline code cannot contain
 * links, images, HTML or mentions. A `|` is escaped, so the code can be in a table.
 */
export function markdownCode(text: string, maximumLength = 200): string {
  const line = oneLine(text)
  const characters = [...line]
  const kept =
    characters.length > maximumLength ? `${characters.slice(0, maximumLength).join("")}…` : line
  if (kept === "") return ""
  const runs = kept.match(/`+/g) ?? []
  const fence = "`".repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const padding = /^`|`$/.test(kept) ? " " : ""
  return `${fence}${padding}${kept.replaceAll("|", "\\|")}${padding}${fence}`
}
