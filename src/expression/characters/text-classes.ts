/**
 * Matches one letter. The constants below match the character classes of Python methods such as
 * `str.isalpha`.
 */
const letter = /^\p{L}$/u
const decimal = /^\p{Nd}$/u
const numeric = /^\p{N}$/u
const upper = /^\p{Uppercase}$/u
const lower = /^\p{Lowercase}$/u
const title = /^\p{Lt}$/u

/**
 * Characters with the Unicode property Numeric_Type=Digit that are not decimal digits, such as
 * superscripts. JavaScript's regular expressions have no class for them.
 */
const digitRanges = ranges(
  "b2-b3 b9 1369-1371 19da 2070 2074-2079 2080-2089 2460-2468 2474-247c 2488-2490 24ea 24f5-24fd 24ff 2776-277e " +
    "2780-2788 278a-2792 10a40-10a43 10e60-10e68 11052-1105a 1f100-1f10a",
)

/** Letters that have a numeric value, such as the Chinese characters for numbers. */
const numeralRanges = ranges(
  "3405 3483 382a 3b4d 4e00 4e03 4e07 4e09 4e5d 4e8c 4e94 4e96 4ebf-4ec0 4edf 4ee8 4f0d 4f70 5104 5146 5169 516b 516d " +
    "5341 5343-5345 534c 53c1-53c4 56db 58f1 58f9 5e7a 5efe-5eff 5f0c-5f0e 5f10 62fe 634c 67d2 6f06 7396 767e 8086 842c " +
    "8cae 8cb3 8d30 9621 9646 964c 9678 96f6 f96b f973 f978 f9b2 f9d1 f9d3 f9fd 20001 20064 200e2 20121 2092a 20983 2098c " +
    "2099c 20aea 20afd 20b19 22390 22998 23b1b 2626d 2f890",
)

export function isLetter(character: string): boolean {
  return character < "\x80" ? /^[A-Za-z]$/.test(character) : letter.test(character)
}

export function isDecimal(character: string): boolean {
  return character < "\x80" ? character >= "0" && character <= "9" : decimal.test(character)
}

export function isDigit(character: string): boolean {
  return isDecimal(character) || isIn(digitRanges, character)
}

export function isNumeric(character: string): boolean {
  return isDecimal(character) || numeric.test(character) || isIn(numeralRanges, character)
}

export function isUpper(character: string): boolean {
  return upper.test(character)
}

export function isLower(character: string): boolean {
  return lower.test(character)
}

export function isTitle(character: string): boolean {
  return title.test(character)
}

export function isCased(character: string): boolean {
  return isLower(character) || isUpper(character) || isTitle(character)
}

function ranges(text: string): readonly (readonly [number, number])[] {
  return text.split(" ").map((range) => {
    const [from = "", to = from] = range.split("-")
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
}

function isIn(table: readonly (readonly [number, number])[], character: string): boolean {
  const code = character.codePointAt(0)!
  for (const range of table) {
    if (code <= range[1]) return code >= range[0]
  }
  return false
}
