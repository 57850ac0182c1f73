import { tokenize } from "./tokenize.js"

/** Share of words that two texts have in common. Each number is between 0 and 1. */
export interface RougeScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/**
 * Returns the ROUGE-1 score of a text, which measures the words that it has in common with a
 * reference text. Words are compared by their stems.
 *
 * @example
 * rouge1("to be or not to be", "be be be be").f1 // 0.4
 */
export function rouge1(reference: string, actual: string): RougeScore {
  const [expected, found] = [tokenize(reference), tokenize(actual)]
  const left = new Map<string, number>()
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1)
  let hits = 0
  for (const token of found) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    hits++
    left.set(token, count - 1)
  }
  const precision = hits / Math.max(found.length, 1)
  const recall = hits / Math.max(expected.length, 1)
  return { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}
