/**
 * Renders untrusted text for terminals. Texts of configs, models, tools, services and journals reach a terminal through this file
 * only: `docs/security.md#forged-approval-screens` lists the characters.
 */

/** Controls, format characters, surrogates, private and unassigned code points, and characters that have no glyph. */
const hidden = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`

/** Scripts whose spelling needs the two joiner characters. */
const joining = ["Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym"]
const inJoiningScript = `[${joining.map((script) => `\\p{Script=${script}}`).join("")}]`

/** Invisible characters that ordinary prose contains: line breaks, tabs, and parts of emoji and of joined letters. */
const ordinary = [
  String.raw`[\n\t]`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  `(?<=${inJoiningScript})[\\u200c\\u200d](?=${inJoiningScript})`,
].join("|")

const hiddenInProse = new RegExp(`(?!${ordinary})[${hidden}]`, "gu")
// A line break can only be outside the strings of JSON, where JSON.stringify writes it to indent.
const hiddenInJson = new RegExp(String.raw`(?! |\n)[${hidden}\p{Zs}]`, "gu")

/** Escapes a character as in JSON and JavaScript: `\u001b`. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("")

/** Escapes characters that a reader cannot see, such as `\u001b`. Keeps line breaks. */
export const safeText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(hiddenInProse, escaped)

/** Escapes a text like `safeText` and puts it on one line. */
export const oneLine = (text: string): string => safeText(text.replace(/\s+/g, " ").trim())

/** Escapes characters that a reader cannot see. The JSON parses to the same value. */
export const escapedJson = (json: string): string => json.replace(hiddenInJson, escaped)

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
    ? name.replace(hiddenInJson, escaped)
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
