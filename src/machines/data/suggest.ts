/**
 * Returns the candidate that the user probably meant by a misspelled word, or null if no candidate
 * is similar enough. After a maximum number of comparisons, the function ignores further
 * candidates.
 */
export type Suggest = (word: string, candidates: Iterable<string>) => string | null

/**
 * Maximum number of comparisons that one `Suggest` function makes in all of its calls. The number
 * is sufficient for real configs, and limits the cost of a config with ten thousand wrong names.
 */
const comparisons = 50_000
const longestWord = 64

/**
 * Creates a function that suggests the correct name for a misspelled name. The function ignores
 * case, `_` and `-`, so it treats `output_Key` and `outputKey` as equal.
 */
export function createSuggest(): Suggest {
  let left = comparisons
  return (word, candidates) => {
    if (word.length > longestWord) return null
    const wanted = folded(word)
    let best: string | null = null
    let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
    for (const candidate of candidates) {
      if (left <= 0) return best
      left--
      if (candidate === word || Math.abs(candidate.length - word.length) > longestWord) continue
      const distance = editDistance(wanted, folded(candidate), bestDistance)
      if (distance < bestDistance) {
        best = candidate
        bestDistance = distance
      }
    }
    return best
  }
}

export const didYouMean = (suggestion: string | null): string =>
  suggestion === null ? "" : `Did you mean "${suggestion}"? `

const folded = (word: string): string => word.toLowerCase().replaceAll(/[_-]/g, "")

/**
 * Returns the edit distance of two words, which is the number of insertions, deletions,
 * replacements and swaps of adjacent characters. If the distance is at least `bound`, the result
 * can be any number that is at least `bound`.
 */
function editDistance(one: string, other: string, bound: number): number {
  if (Math.abs(one.length - other.length) >= bound) return bound
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1]
      ) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    if (Math.min(...current) >= bound) return bound
    beforeLast = last
    last = current
  }
  return last[other.length] ?? bound
}
