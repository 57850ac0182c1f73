import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { isPythonSpace, skipSpace, skipSpaceBack } from "../characters/python-whitespace.js"
import { findLastUnit, findUnit } from "./string-search.js"

/**
 * Splits a text like Python's `str.split(separator, most)`. `most` is the maximum number of splits.
 * If it is negative, there is no limit.
 */
export function splitText(
  text: string,
  separator: string,
  most: number,
  budget: StepBudget,
): string[] {
  if (separator === "") raise("ValueError", "empty separator")
  const parts: string[] = []
  let from = 0
  while (most < 0 || parts.length < most) {
    const found = findUnit(text, separator, from, budget)
    if (found < 0) break
    push(parts, text.substring(from, found), budget)
    from = found + separator.length
  }
  push(parts, text.substring(from), budget)
  return parts
}

/**
 * Splits a text from its end, like Python's `str.rsplit`. The result differs from `splitText` only
 * if the number of splits reaches `most` or separators overlap.
 */
export function splitTextBack(
  text: string,
  separator: string,
  most: number,
  budget: StepBudget,
): string[] {
  if (separator === "") raise("ValueError", "empty separator")
  const parts: string[] = []
  let rest = text
  while (most < 0 || parts.length < most) {
    const found = findLastUnit(rest, separator, budget)
    if (found < 0) break
    push(parts, rest.substring(found + separator.length), budget)
    rest = rest.substring(0, found)
  }
  push(parts, rest, budget)
  return parts.reverse()
}

/**
 * Splits a text at whitespace and omits empty parts, like Python's `str.split(None, most)`. After
 * `most` splits, the rest of the text is the last part. If `most` is negative, there is no maximum.
 */
export function splitWords(text: string, most: number, budget: StepBudget): string[] {
  budget.spend(text.length / 32)
  const words: string[] = []
  let from = skipSpace(text, 0, text.length)
  while (from < text.length) {
    if (most >= 0 && words.length >= most) {
      push(words, text.substring(from), budget)
      break
    }
    let end = from
    while (end < text.length && !isPythonSpace(text.charCodeAt(end))) end++
    push(words, text.substring(from, end), budget)
    from = skipSpace(text, end, text.length)
  }
  return words
}

export function splitWordsBack(text: string, most: number, budget: StepBudget): string[] {
  budget.spend(text.length / 32)
  const words: string[] = []
  let end = skipSpaceBack(text, 0, text.length)
  while (end > 0) {
    if (most >= 0 && words.length >= most) {
      push(words, text.substring(0, end), budget)
      break
    }
    let from = end
    while (from > 0 && !isPythonSpace(text.charCodeAt(from - 1))) from--
    push(words, text.substring(from, end), budget)
    end = skipSpaceBack(text, 0, from)
  }
  return words.reverse()
}

export function splitLines(text: string, keepEnds: boolean, budget: StepBudget): string[] {
  budget.spend(text.length / 32)
  const lines: string[] = []
  let from = 0
  for (let unit = 0; unit < text.length; unit++) {
    const code = text.charCodeAt(unit)
    if (!isLineEnd(code)) continue
    const end = unit
    if (code === 13 && text.charCodeAt(unit + 1) === 10) unit++
    push(lines, text.substring(from, keepEnds ? unit + 1 : end), budget)
    from = unit + 1
  }
  if (from < text.length) push(lines, text.substring(from), budget)
  return lines
}

function isLineEnd(code: number): boolean {
  return (
    (code >= 10 && code <= 13) ||
    (code >= 28 && code <= 30) ||
    code === 0x85 ||
    code === 0x2028 ||
    code === 0x2029
  )
}

function push(parts: string[], part: string, budget: StepBudget): void {
  parts.push(part)
  budget.spend(0.25)
  budget.collection(parts.length)
}
