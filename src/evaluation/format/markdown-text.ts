import { safeText } from "../../machines/data/safe-text.js"
import type { EvaluationProblem } from "../reading/problem.js"

/** Escapes a text for a line or table cell in Markdown, so that it contains no markup. */
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

/** Formats a problem of an evaluation as a Markdown list item. */
export const problemItem = ({ code, file, at, message, fix }: EvaluationProblem): string =>
  `- ${escapeMarkdown(code)}, ${escapeMarkdown(`${file}${at ?? ""}`)}: ${escapeMarkdown(message)}. ${escapeMarkdown(fix ?? "")}`.trimEnd()

/**
 * Formats a text as a fenced code block in Markdown. The fence is longer than any sequence of
 * backticks in the text, so the text cannot end the block.
 */
export function fenced(text: string): string {
  const content = safeText(text)
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}text\n${content}\n${fence}`
}
