import {
  escapedCharacter,
  escapedJson,
  hiddenInJson,
  oneLine,
  safeText,
} from "../../machines/data/safe-text.js"

/**
 * Renders untrusted text for terminals. Texts of configs, models, tools, services and journals reach a terminal through this file
 * only: `docs/security.md#forged-approval-screens` lists the characters.
 */
export { escapedJson, oneLine, safeText }

/** Formats a value as escaped JSON. */
export const safeJson = (value: unknown, indent?: number): string =>
  // JSON.stringify has no text for undefined.
  escapedJson(JSON.stringify(value, null, indent) ?? "undefined")

/**
 * Formats an id or name: unchanged if it is plain, otherwise quoted as JSON, so that it cannot
 * imitate the text around it.
 */
export const safeName = (name: string): string =>
  /^[\p{L}\p{M}\p{N}_.:@/#[\]*+-]+$/u.test(name)
    ? name.replace(hiddenInJson, escapedCharacter)
    : safeJson(name)

/** Indents all lines but the first, so that they cannot imitate a line of the program. */
export const hanging = (text: string): string => safeText(text).replace(/\n(?=.)/g, "\n  ")

/**
 * Quotes a word for a shell. Words with invisible characters are written as `$'...'`, for bash, zsh
 * and ksh.
 */
export function shellWord(text: string): string {
  if (/^[\w./:=@~-]+$/.test(text)) return text
  if (escapedJson(text) === text && !text.includes("\n"))
    return `'${text.replaceAll("'", "'\\''")}'`
  const escapedPoint = (character: string): string =>
    `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`
  return `$'${text
    .replace(/[\\']/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replace(hiddenInJson, escapedPoint)}'`
}

/** The codes that `createPaint` writes: they start and end a style or color. */
// oxlint-disable-next-line no-control-regex
const styleCode = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/

/**
 * Escapes every output line as the last step: only plain text and, if the terminal supports them,
 * colors pass.
 */
export const guarded = (line: string, hasColors: boolean): string =>
  hasColors
    ? line
        .split(styleCode)
        .map((piece, index) => (index % 2 === 1 ? piece : safeText(piece)))
        .join("")
    : safeText(line)
