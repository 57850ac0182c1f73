import { ConditionRefused } from "../limits/condition-refused.js"

const closerOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/**
 * Returns the offset at which the expression of an f-string field ends. The end is the first `!`,
 * `:`, `=` or `}` outside brackets and strings. As in Python 3.11, the expression cannot contain a
 * backslash, a comment or the quotation mark that encloses the f-string.
 */
export function findField(source: string, from: number, end: number): number {
  const expected: string[] = []
  let fence = ""
  for (let position = from; position < end; position++) {
    const character = source.charAt(position)
    const closer = closerOf[character]
    if (character === "\\")
      throw new ConditionRefused(
        "syntax",
        "A field of an f-string cannot contain a backslash. Remove it, or join texts with +",
        position,
      )
    if (fence !== "") {
      if (source.startsWith(fence, position) && position + fence.length <= end) {
        position += fence.length - 1
        fence = ""
      }
    } else if (character === "'" || character === '"') {
      const triple = character.repeat(3)
      fence = source.startsWith(triple, position) && position + 3 <= end ? triple : character
      position += fence.length - 1
    } else if (character === "#") {
      throw new ConditionRefused(
        "syntax",
        'A field of an f-string cannot contain "#". Remove it, or join texts with +',
        position,
      )
    } else if (closer !== undefined) {
      expected.push(closer)
    } else if (expected.length === 0 && "!:}=<>".includes(character)) {
      const pair = source[position + 1] === "=" && position + 1 < end
      if (pair && character !== ":" && character !== "}") position++
      else if (character !== "<" && character !== ">") return position
    } else if (character === ")" || character === "]" || character === "}") {
      if (expected.pop() !== character)
        throw new ConditionRefused(
          "syntax",
          `"${character}" has no opening bracket in this field of the f-string. Remove it`,
          position,
        )
    }
  }
  const message =
    fence === ""
      ? 'A field of an f-string is never closed: expected "}"'
      : "A string in a field of an f-string is never closed"
  throw new ConditionRefused("syntax", message, from - 1)
}
