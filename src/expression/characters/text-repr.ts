const plain = /^[ !#-&(-[\]-~]*$/
const printable = /[^\p{C}\p{Z}]/u
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
])

/**
 * Returns Python's `repr` of a string, such as `'it\n'`. Escapes characters that are not printable.
 */
export function textRepr(text: string): string {
  if (plain.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let body = ""
  for (const character of text) body += character === quote ? `\\${quote}` : escaped(character)
  return quote + body + quote
}

function escaped(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  return character === " " || printable.test(character) ? character : codeEscape(character)
}

/**
 * Escapes all non-ASCII characters in the `repr` of a value, as the conversion `!a` of Python's
 * f-strings does.
 */
export function asciiOnly(text: string): string {
  let result = ""
  for (const character of text) result += character > "\x7f" ? codeEscape(character) : character
  return result
}

function codeEscape(character: string): string {
  const code = character.codePointAt(0)!
  const digits = code.toString(16)
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`
}
