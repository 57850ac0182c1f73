/** Escapes a text for a line or a table cell of Markdown, so that it adds no markup. */
export const escapeMarkdown = (text: string): string =>
  visible(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]()#+!|~$-]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    // A zero-width space keeps mentions, links and references from being recognized.
    .replaceAll("@", "@\u200B")
    .replaceAll(/(https?|ftp|mailto):/gi, "$1\u200B:")
    .replaceAll(/\bwww\./gi, "www\u200B.")

/** Returns a fenced block. Its fence is longer than each run of backticks inside. */
export function fenced(text: string): string {
  const content = visible(text)
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}text\n${content}\n${fence}`
}

/** Replaces control characters and characters that change the direction of the text. */
const visible = (text: string): string => text.toWellFormed().replaceAll(hidden, "\uFFFD")

const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000D-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
