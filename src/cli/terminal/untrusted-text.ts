import {
  escapedCharacter,
  escapedJson,
  hiddenInJson,
  oneLine,
  safeText,
} from "../../machines/data/safe-text.js"

/**
 * Escapes untrusted text for terminals. All texts from configs, models, tools, services and
 * journals are printed through the functions of this file.
 * `docs/security.md#forged-approval-screens` lists the escaped characters.
 */
export { escapedJson, oneLine, safeText }

/**
 * Formats a value as JSON in which special characters, such as terminal control codes, are escaped.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  // JSON.stringify has no text for undefined.
  escapedJson(JSON.stringify(value, null, indent) ?? "undefined")

/**
 * Formats an id or name for the terminal. A name with special characters is formatted as JSON in
 * quotes, so that it cannot imitate the text around it.
 */
export const safeName = (name: string): string =>
  /^[\p{L}\p{M}\p{N}_.:@/#[\]*+-]+$/u.test(name)
    ? name.replace(hiddenInJson, escapedCharacter)
    : safeJson(name)

/**
 * Escapes a text and indents all lines except the first. The text then cannot imitate other output
 * of the program.
 */
export const escapeIndented = (text: string): string => safeText(text).replace(/\n(?=.)/g, "\n  ")

/**
 * Quotes a word for a shell command. A word with invisible characters is written as `$'...'`, which
 * bash, zsh and ksh support.
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

/** Matches the escape codes with which `createPaint` starts and ends a style or color. */
// oxlint-disable-next-line no-control-regex
const styleCode = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/

/**
 * Escapes a line immediately before it is printed. Plain text stays unchanged. Escape codes of
 * colors and styles stay unchanged if the terminal supports colors.
 */
export const escapeLine = (line: string, hasColors: boolean): string =>
  hasColors
    ? line
        .split(styleCode)
        .map((piece, index) => (index % 2 === 1 ? piece : safeText(piece)))
        .join("")
    : safeText(line)
