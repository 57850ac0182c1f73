import { safeText } from "../../machines/data/safe-text.js"
import type { EvaluationProblem } from "../reading/problem.js"

/** Escapes a text for a line or a table cell of Markdown, so that the text contains no markup. */
export const escapeMarkdown = (text: string): string =>
  safeText(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]()#+!|~$-]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    // The zero-width space after these characters prevents Markdown from recognizing mentions,
    // links and URLs.
    .replaceAll("@", "@&#8203;")
    .replaceAll(/(https?|ftp|mailto):/gi, "$1&#8203;:")
    .replaceAll(/\bwww\./gi, "www&#8203;.")

/** Formats a problem as an item of a list. */
export const problemItem = ({ code, file, at, message, fix }: EvaluationProblem): string =>
  `- ${escapeMarkdown(code)}, ${escapeMarkdown(`${file}${at ?? ""}`)}: ${escapeMarkdown(message)}. ${escapeMarkdown(fix ?? "")}`.trimEnd()

/**
 * Returns a fenced code block. The fence is longer than any sequence of backticks in the text, so
 * the text cannot end the block.
 */
export function fenced(text: string): string {
  const content = safeText(text)
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}text\n${content}\n${fence}`
}
