import type { Budget } from "./budget.js"

/** Above this many comparisons in the worst case, the native search is not trusted with hostile texts. */
const trustedWork = 200_000

/** Unit offset of the first occurrence at or after `from`, -1 when there is none. Linear in the worst case. */
export function findUnit(text: string, part: string, from: number, budget: Budget): number {
  const length = text.length - from
  if (part.length > length) return -1
  if (length * part.length > trustedWork) return searchWithFallback(text, part, from, budget)
  const found = text.indexOf(part, from)
  budget.spend(0.1 + (((found < 0 ? text.length : found) - from) * (part.length + 4)) / 500)
  return found
}

/** Unit offset of the last occurrence. */
export function findLastUnit(text: string, part: string, budget: Budget): number {
  if (part.length > text.length) return -1
  if (text.length * part.length > trustedWork) {
    const found = searchWithFallback(backwards(text), backwards(part), 0, budget)
    return found < 0 ? -1 : text.length - part.length - found
  }
  const found = text.lastIndexOf(part)
  budget.spend(0.1 + ((text.length - Math.max(0, found)) * (part.length + 4)) / 500)
  return found
}

function backwards(text: string): string {
  let result = ""
  for (let unit = text.length - 1; unit >= 0; unit--) result += text[unit]!
  return result
}

/** Knuth, Morris and Pratt: after a mismatch, go on from the longest prefix that still fits. */
function searchWithFallback(text: string, part: string, from: number, budget: Budget): number {
  budget.spend((text.length - from + part.length) / 32)
  const fallback = new Int32Array(part.length)
  for (let index = 1, fit = 0; index < part.length; index++) {
    while (fit > 0 && part.charCodeAt(index) !== part.charCodeAt(fit)) fit = fallback[fit - 1]!
    if (part.charCodeAt(index) === part.charCodeAt(fit)) fit++
    fallback[index] = fit
  }
  for (let unit = from, fit = 0; unit < text.length; unit++) {
    while (fit > 0 && text.charCodeAt(unit) !== part.charCodeAt(fit)) fit = fallback[fit - 1]!
    if (text.charCodeAt(unit) === part.charCodeAt(fit)) fit++
    if (fit === part.length) return unit - part.length + 1
  }
  return -1
}
