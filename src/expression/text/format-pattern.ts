/** A part of the pattern of `'...'.format(...)`: literal text or a field such as `{name:.2f}`. */
export type PatternPart = string | PatternField

export interface PatternField {
  /**
   * The argument of `format` that this field inserts. It is an index such as 0 for `{0}`, or a name
   * such as "name" for `{name}`.
   */
  readonly argument: number | string
  readonly conversion: "s" | "r" | "a" | null
  /**
   * Format specification, which is the text after the colon, such as `.2f`. Empty if there is none.
   */
  readonly spec: string
}

/**
 * Parses the pattern of Python's `str.format`. Returns an error message if a field is not simple,
 * for example because it has attributes.
 */
export function parsePattern(pattern: string): readonly PatternPart[] | string {
  const parts: PatternPart[] = []
  let text = ""
  let next = 0
  let numbered: boolean | null = null
  for (let position = 0; position < pattern.length;) {
    const character = pattern[position]
    if (character !== "{" && character !== "}") {
      text += character
      position++
      continue
    }
    if (pattern[position + 1] === character) {
      text += character
      position += 2
      continue
    }
    if (character === "}") return 'A single "}" in the pattern. Write "}}" for the character'
    const match = field.exec(pattern.slice(position))
    if (match === null)
      return "A field of the pattern must be {}, {0} or {name}, with !r or :.2f behind it"
    const [whole, name = "", letter, spec = ""] = match
    const isAutomatic = name === ""
    const isNumber = /^\d*$/.test(name)
    if (isNumber) {
      if (numbered !== null && numbered === isAutomatic) return "The pattern mixes {} and {0}"
      numbered = !isAutomatic
    }
    if (text !== "") parts.push(text)
    text = ""
    const argument = isAutomatic ? next++ : isNumber ? Number(name) : name
    parts.push({ argument, conversion: letterOf(letter), spec })
    position += whole.length
  }
  if (text !== "") parts.push(text)
  return parts
}

/**
 * Matches a simple field of a `str.format` pattern, such as `{0!r}` or `{name:.2f}`. Fields with
 * attributes, indexes or nested fields do not match.
 */
const field = /^\{(\d*|[\p{L}_][\p{L}\p{N}_]*)(?:!([sra]))?(?::([^{}]*))?\}/u

function letterOf(letter: string | undefined): PatternField["conversion"] {
  return letter === "s" || letter === "r" || letter === "a" ? letter : null
}
