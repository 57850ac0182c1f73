/**
 * Returns the stem of a lowercase word. Implements the Porter algorithm of 1980 exactly like the
 * default mode of the Python package NLTK, because the scores of ADK depend on these stems.
 */
export function stemOf(word: string): string {
  const irregular = irregularStems.get(word)
  if (irregular !== undefined) return irregular
  if (word.length <= 2) return word
  return [
    withoutPlural,
    withoutPast,
    withoutFinalY,
    shortenDoubleSuffix,
    shortenSuffix,
    removeSuffix,
    withoutFinalE,
    withoutDoubleL,
  ].reduce((stem, step) => step(stem), word)
}

const irregularStems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sky: ["sky", "skies"],
    die: ["dying"],
    lie: ["lying"],
    tie: ["tying"],
    news: ["news"],
    inning: ["innings", "inning"],
    outing: ["outings", "outing"],
    canning: ["cannings", "canning"],
    howe: ["howe"],
    proceed: ["proceed"],
    exceed: ["exceed"],
    succeed: ["succeed"],
  }).flatMap(([stem, words]) => words.map((word) => [word, stem] as const)),
)

/**
 * Returns for each letter of a word whether it is a consonant. The letter `y` is a consonant unless
 * it follows a consonant.
 */
function consonantsOf(word: string): readonly boolean[] {
  const consonants: boolean[] = []
  for (const [index, letter] of [...word].entries())
    consonants.push(
      letter === "y" ? index === 0 || !(consonants[index - 1] ?? false) : !vowels.has(letter),
    )
  return consonants
}

const vowels: ReadonlySet<string> = new Set("aeiou")

/**
 * Returns the measure of a stem in the Porter algorithm, which is the number of times that a
 * consonant follows a vowel. For example, the measure of `private` is 2.
 */
function measureOf(stem: string): number {
  const consonants = consonantsOf(stem)
  return consonants.filter(
    (isConsonant, index) => index > 0 && isConsonant && consonants[index - 1] === false,
  ).length
}

const hasVowel = (stem: string): boolean => consonantsOf(stem).includes(false)

const endsInConsonant = (stem: string): boolean => consonantsOf(stem).at(-1) ?? false

const endsInDoubleConsonant = (word: string): boolean =>
  word.length >= 2 && word.at(-1) === word.at(-2) && endsInConsonant(word)

/**
 * Returns whether a word ends in a consonant, a vowel and another consonant that is not w, x or y.
 * This also applies to a word that consists of a vowel and a consonant, such as `in`.
 */
function endsShort(word: string): boolean {
  const [third, second, last] = consonantsOf(word).slice(-3)
  if (word.length === 2) return third === false && second === true
  return third === true && second === false && last === true && !"wxy".includes(word.at(-1) ?? "")
}

/**
 * A rule of the Porter stemmer. It replaces a suffix if the stem before the suffix satisfies the
 * condition `fits`.
 */
type SuffixRule = readonly [suffix: string, replacement: string, fits: (stem: string) => boolean]

const always = (): boolean => true
const isPositive = (stem: string): boolean => measureOf(stem) > 0
const isLong = (stem: string): boolean => measureOf(stem) > 1

/**
 * Applies the first stemming rule whose suffix the word has. Returns the word unchanged if its stem
 * does not satisfy the condition of this rule, or if no rule matches.
 */
function applyFirst(word: string, rules: readonly SuffixRule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const [suffix, replacement, fits] = rule
  const stem = word.slice(0, word.length - suffix.length)
  return fits(stem) ? stem + replacement : word
}

const withoutPlural = (word: string): string =>
  applyFirst(word, [
    ["sses", "ss", always],
    ["ies", word.length === 4 ? "ie" : "i", always],
    ["ss", "ss", always],
    ["s", "", always],
  ])

function withoutPast(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith("eed")) return isPositive(word.slice(0, -3)) ? word.slice(0, -1) : word
  const suffix = ["ed", "ing"].find(
    (ending) => word.endsWith(ending) && hasVowel(word.slice(0, -ending.length)),
  )
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDoubleConsonant(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return measureOf(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

const withoutFinalY = (word: string): string =>
  applyFirst(word, [["y", "i", (stem) => stem.length > 1 && endsInConsonant(stem)]])

function shortenDoubleSuffix(word: string): string {
  if (word.endsWith("alli") && isPositive(word.slice(0, -4)))
    return shortenDoubleSuffix(word.slice(0, -2))
  return applyFirst(word, [
    ...doubleSuffixes,
    // The `l` counts as a part of the stem, so that geologi and archaeologi are treated in the same
    // way.
    ["logi", "log", () => isPositive(word.slice(0, -3))],
  ])
}

const doubleSuffixes = (
  [
    ["ational", "ate"],
    ["tional", "tion"],
    ["enci", "ence"],
    ["anci", "ance"],
    ["izer", "ize"],
    ["bli", "ble"],
    ["alli", "al"],
    ["entli", "ent"],
    ["eli", "e"],
    ["ousli", "ous"],
    ["ization", "ize"],
    ["ation", "ate"],
    ["ator", "ate"],
    ["alism", "al"],
    ["iveness", "ive"],
    ["fulness", "ful"],
    ["ousness", "ous"],
    ["aliti", "al"],
    ["iviti", "ive"],
    ["biliti", "ble"],
    ["fulli", "ful"],
  ] as const
).map(([suffix, replacement]): SuffixRule => [suffix, replacement, isPositive])

const shortenSuffix = (word: string): string => applyFirst(word, singleSuffixes)

const singleSuffixes = (
  [
    ["icate", "ic"],
    ["ative", ""],
    ["alize", "al"],
    ["iciti", "ic"],
    ["ical", "ic"],
    ["ful", ""],
    ["ness", ""],
  ] as const
).map(([suffix, replacement]): SuffixRule => [suffix, replacement, isPositive])

const removeSuffix = (word: string): string => applyFirst(word, removedSuffixes)

const removedSuffixes =
  "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
    .split(" ")
    .map((suffix): SuffixRule => [
      suffix,
      "",
      suffix === "ion" ? (stem) => isLong(stem) && /[st]$/.test(stem) : isLong,
    ])

const withoutFinalE = (word: string): string =>
  applyFirst(word, [
    ["e", "", (stem) => isLong(stem) || (measureOf(stem) === 1 && !endsShort(stem))],
  ])

const withoutDoubleL = (word: string): string =>
  applyFirst(word, [["ll", "l", (stem) => isLong(`${stem}l`)]])
