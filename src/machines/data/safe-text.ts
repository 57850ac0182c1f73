/**
 * Functions that replace invisible characters in untrusted text with escape sequences, so that the
 * characters cannot mislead a person. `docs/security.md#forged-approval-screens` lists them.
 */

/**
 * Content of a character class in a regular expression, without the brackets. The class matches
 * invisible characters. These are control and format characters, surrogates, private and unassigned
 * code points, and characters without a glyph.
 */
const hidden = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`

/** Scripts, such as Arabic, in which words can contain the joiner characters U+200C and U+200D. */
const joining = ["Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym"]
const inJoiningScript = `[${joining.map((script) => `\\p{Script=${script}}`).join("")}]`

/**
 * Regular expression for invisible characters that are common in prose. `safeText` does not escape
 * them. They are line breaks, tabs, and characters that join emoji or letters.
 */
const ordinary = [
  String.raw`[\n\t]`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  `(?<=${inJoiningScript})[\\u200c\\u200d](?=${inJoiningScript})`,
].join("|")

const hiddenInProse = new RegExp(`(?!${ordinary})[${hidden}]`, "gu")
// Does not match line breaks. JSON strings cannot contain them, so they are only indentation.
export const hiddenInJson = new RegExp(String.raw`(?! |\n)[${hidden}\p{Zs}]`, "gu")

/** Returns a character as an escape sequence of JSON and JavaScript, such as `\u001b`. */
export const escapedCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("")

/**
 * Replaces invisible characters with escape sequences such as `\u001b`. Keeps line breaks and tabs.
 */
export const safeText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(hiddenInProse, escapedCharacter)

/**
 * Returns an untrusted text on one line. Replaces line breaks and other white space with single
 * spaces, and invisible characters with escape sequences such as `\u001b`.
 */
export const oneLine = (text: string): string => safeText(text.replace(/\s+/g, " ").trim())

/**
 * Replaces invisible characters in a JSON text with escape sequences. The escaped JSON parses to
 * the same value.
 */
export const escapedJson = (json: string): string => json.replace(hiddenInJson, escapedCharacter)
