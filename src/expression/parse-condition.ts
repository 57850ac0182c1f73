import { codePointLength } from "./characters/code-points.js"
import { skipSpace, skipSpaceBack } from "./characters/python-whitespace.js"
import { check } from "./check/check.js"
import { ConditionRefused } from "./limits/condition-refused.js"
import { limits } from "./limits/limits.js"
import { parse } from "./syntax/parse.js"
import type { SyntaxNode } from "./syntax/syntax-tree.js"

/**
 * Parses a condition and checks that it is part of the language.
 *
 * @throws ConditionRefused if it is not.
 */
export function parseCondition(source: unknown): SyntaxNode {
  try {
    return parseAndCheck(source)
  } catch (error) {
    // The recursion of the parser overflows the stack before any other limit is reached.
    throw error instanceof ConditionRefused
      ? error
      : new ConditionRefused("limit", "Nested too deeply", 0)
  }
}

function parseAndCheck(source: unknown): SyntaxNode {
  if (typeof source !== "string") throw new ConditionRefused("syntax", "A condition is a text", 0)
  const from = skipSpace(source, 0, source.length)
  const to = skipSpaceBack(source, from, source.length)
  if (from === to) throw new ConditionRefused("syntax", "The condition is empty", 0)
  if (source.length > limits.source && codePointLength(source) > limits.source) {
    throw new ConditionRefused(
      "limit",
      `A condition of more than ${limits.source} characters`,
      limits.source,
    )
  }
  refuseDeepBrackets(source)
  refuseStrangeText(source)
  const tree = parse(source, from, to)
  check(tree, source)
  return tree
}

/** Counts every bracket, those in strings too: a cheap bound before anything recurses. */
function refuseDeepBrackets(source: string): void {
  let depth = 0
  for (let offset = 0; offset < source.length; offset++) {
    const code = source.charCodeAt(offset)
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > limits.depth)
        throw new ConditionRefused(
          "limit",
          `Brackets nested more than ${limits.depth} deep`,
          offset,
        )
    } else if (code === 41 || code === 93 || code === 125) {
      depth--
    }
  }
}

/** Python reads no source with a null byte or half of a surrogate pair, not even inside a string. */
function refuseStrangeText(source: string): void {
  const strange = /\0|\p{Surrogate}/u.exec(source)
  if (strange !== null)
    throw new ConditionRefused(
      "syntax",
      "A null byte or half a character. Use an escape such as \\x00",
      strange.index,
    )
}
