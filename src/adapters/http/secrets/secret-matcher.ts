/**
 * The position of a secret in a text, and the label that replaces the secret. `from` is the offset
 * of its first character, and `to` is the offset after its last character.
 */
export interface SecretMatch {
  readonly from: number
  readonly to: number
  readonly label: string
}

/**
 * A matcher that finds all occurrences of one secret in a text, even if the characters of the
 * secret are encoded, for example as `%41`.
 */
export interface SecretMatcher {
  find(text: string): readonly SecretMatch[]
  /** Returns the number of characters at the end of a text that may be the start of the secret. */
  partialLength(text: string): number
}

/**
 * Minimum length of secrets that are found regardless of case. The search for a shorter secret is
 * case-sensitive, because a short secret could equal a common word.
 */
const shortestInAnyCase = 8

/**
 * Maximum length of one encoded character. The longest encodings are four percent-encoded bytes or
 * two JSON escapes.
 */
const longestSpelling = 12

/**
 * Number of characters at the start of a secret that a regular expression searches for, which is
 * fast. The remaining characters are compared one by one.
 */
const leadLength = 4

/** Matches an encoded character, for example `%41`, `&amp;` or `\n`. */
const spelling = /%[\da-f]{2}|&#?\w{1,8};|\\./i

/** Matches `%`, `&` and backslashes, with which encoded characters start. */
const partialSpelling = /[%&\\]/

/**
 * Creates a matcher that finds a secret in texts. Each of the secret's characters may be plain,
 * percent-encoded, an HTML entity or a JSON escape. The search time is linear in the length of the
 * text. It is very short for texts without encoded characters.
 */
export function secretMatcher(value: string, label: string): SecretMatcher {
  const isInAnyCase = value.length >= shortestInAnyCase
  // The matcher is created when it is first needed, because most calls do not need it.
  let matcher: Matcher | null = null
  const full = (): Matcher => (matcher ??= createMatcher(value, isInAnyCase))
  let plain: RegExp | null = null

  return {
    find(text) {
      if (spelling.test(text))
        return full()
          .find(text)
          .map(([from, to]) => ({ from, to, label }))
      if (!isInAnyCase || text.length < value.length) return []
      plain ??= new RegExp(literal(value), "gi")
      return [...text.matchAll(plain)].map(({ index, 0: { length } }) => ({
        from: index,
        to: index + length,
        label,
      }))
    },
    partialLength(text) {
      if (partialSpelling.test(text.slice(-value.length * longestSpelling)))
        return full().partialLength(text)
      if (!isInAnyCase) return 0
      const tail = text.slice(1 - value.length).toLowerCase()
      const lowered = value.toLowerCase()
      for (let from = 0; from < tail.length; from++)
        if (lowered.startsWith(tail.slice(from))) return tail.length - from
      return 0
    },
  }
}

interface Matcher {
  find(text: string): readonly (readonly [from: number, to: number])[]
  partialLength(text: string): number
}

function createMatcher(value: string, isInAnyCase: boolean): Matcher {
  const folded = (text: string): string => (isInAnyCase ? text.toLowerCase() : text)
  const characters = [...value].map((character) => spellings(character).map(folded))
  const lead = new RegExp(
    characters
      .slice(0, leadLength)
      .map((each) => `(?:${each.map(literal).join("|")})`)
      .join(""),
    isInAnyCase ? "gi" : "g",
  )
  const longest = characters.reduce((sum, each) => sum + (each[0]?.length ?? 0), 0)

  const spellingAt = (each: readonly string[], text: string, offset: number): string | undefined =>
    each.find((one) => folded(text.slice(offset, offset + one.length)) === one)

  /**
   * Returns the end offset of the secret that starts at offset `from`, or -1 if the secret does not
   * start there.
   */
  const endOf = (text: string, from: number): number => {
    let offset = from
    for (const each of characters) {
      const spelling = spellingAt(each, text, offset)
      if (spelling === undefined) return -1
      offset += spelling.length
    }
    return offset
  }

  /**
   * Returns whether the secret may start at offset `from` and continue after the end of the text.
   */
  const mayContinue = (text: string, from: number): boolean => {
    let offset = from
    for (const each of characters) {
      const rest = text.length - offset > longestSpelling ? null : folded(text.slice(offset))
      if (rest !== null && each.some((one) => one.length > rest.length && one.startsWith(rest)))
        return true
      const spelling = spellingAt(each, text, offset)
      if (spelling === undefined) return false
      offset += spelling.length
    }
    return false
  }

  return {
    find(text) {
      const found: [from: number, to: number][] = []
      lead.lastIndex = 0
      for (let match = lead.exec(text); match !== null; match = lead.exec(text)) {
        const to = endOf(text, match.index)
        if (to > 0) found.push([match.index, to])
        lead.lastIndex = to > 0 ? to : match.index + 1
      }
      return found
    },
    partialLength(text) {
      for (let from = Math.max(0, text.length - longest); from < text.length; from++)
        if (mayContinue(text, from)) return text.length - from
      return 0
    },
  }
}

const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

/**
 * Returns all encodings of a character, for example `&`, `%26` and `&amp;`. The longest encoding is
 * first.
 */
function spellings(character: string): readonly string[] {
  const point = character.codePointAt(0) ?? 0
  const hex = point.toString(16)
  const bytes = [...new TextEncoder().encode(character)]
  const units = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, "0"),
  )
  const cased = (write: (digits: string) => string, digits: string): readonly string[] => [
    write(digits),
    write(digits.toUpperCase()),
  ]
  const percent = bytes.map((byte) => byte.toString(16).padStart(2, "0"))
  const all = [
    character,
    ...[0, 3, 4].map((digits) => `&#${String(point).padStart(digits, "0")};`),
    ...[0, 2, 4].flatMap((digits) => cased((text) => `&#x${text};`, hex.padStart(digits, "0"))),
    ...cased((text) => `&#X${text};`, hex),
    ...cased((text) => text.replace(/../g, "%$&"), percent.join("")),
    ...cased((text) => text.replace(/..../g, "\\u$&"), units.join("")),
    JSON.stringify(character).slice(1, -1),
    ...(character === "/" ? ["\\/"] : []),
    ...(character === " " ? ["+"] : []),
    ...(named[character] === undefined ? [] : [named[character]]),
  ]
  return [...new Set(all)].sort((one, other) => other.length - one.length)
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")
