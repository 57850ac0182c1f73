import type { StepBudget } from "../limits/step-budget.js"

/**
 * Maximum amount of work for which JavaScript's own string search is used, because this search can
 * be slow. The work is the length of the text times the length of the part to find. JavaScript's
 * search is also used if the part is short.
 */
const trustedWork = 200_000
const trustedPart = 32

/**
 * Returns the offset of the first occurrence of `part` at or after `from`, in UTF-16 units. Returns
 * -1 if there is none. Takes linear time in the worst case.
 */
export function findUnit(text: string, part: string, from: number, budget: StepBudget): number {
  const length = text.length - from
  if (part.length > length) return -1
  if (length * part.length > trustedWork && part.length > trustedPart)
    return searchWithFallback(text, part, from, budget)
  const found = text.indexOf(part, from)
  budget.spend(0.1 + (((found < 0 ? text.length : found) - from) * (part.length + 4)) / 500)
  return found
}

/**
 * Returns the offset of the last occurrence of `part`, in UTF-16 units. Returns -1 if there is
 * none.
 */
export function findLastUnit(text: string, part: string, budget: StepBudget): number {
  if (part.length > text.length) return -1
  if (text.length * part.length > trustedWork && part.length > trustedPart) {
    const found = searchWithFallback(text, part, 0, budget, true)
    return found < 0 ? -1 : text.length - part.length - found
  }
  const found = text.lastIndexOf(part)
  budget.spend(0.1 + ((text.length - Math.max(0, found)) * (part.length + 4)) / 500)
  return found
}

/**
 * Searches in linear time with the Knuth-Morris-Pratt algorithm. If `backwards` is true, searches
 * from the end of the text and returns an offset from the end.
 */
function searchWithFallback(
  text: string,
  part: string,
  from: number,
  budget: StepBudget,
  backwards = false,
): number {
  budget.spend((text.length - from + part.length) / 3)
  const textUnit = (index: number): number =>
    text.charCodeAt(backwards ? text.length - 1 - index : index)
  const partUnit = (index: number): number =>
    part.charCodeAt(backwards ? part.length - 1 - index : index)
  const fallback = new Int32Array(part.length)
  for (let index = 1, fit = 0; index < part.length; index++) {
    while (fit > 0 && partUnit(index) !== partUnit(fit)) fit = fallback[fit - 1]!
    if (partUnit(index) === partUnit(fit)) fit++
    fallback[index] = fit
  }
  for (let unit = from, fit = 0; unit < text.length; unit++) {
    while (fit > 0 && textUnit(unit) !== partUnit(fit)) fit = fallback[fit - 1]!
    if (textUnit(unit) === partUnit(fit)) fit++
    if (fit === part.length) return unit - part.length + 1
  }
  return -1
}
