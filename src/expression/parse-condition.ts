import { codePointLength } from "./characters/code-points.js"
import { skipSpace, skipSpaceBack } from "./characters/python-whitespace.js"
import { check } from "./check/check.js"
import { ConditionRefused } from "./limits/condition-refused.js"
import { limits } from "./limits/limits.js"
import { parse } from "./syntax/parse.js"
import type { SyntaxNode } from "./syntax/syntax-tree.js"

/**
 * Parses a condition and checks that it only uses supported syntax. A condition is an expression in
 * a safe subset of Python.
 *
 * @throws ConditionRefused if the condition cannot be parsed or uses unsupported syntax
 */
export function parseCondition(source: unknown): SyntaxNode {
  try {
    return parseAndCheck(source)
  } catch (error) {
    // Every other error is a stack overflow of the recursive parser.
    throw error instanceof ConditionRefused
      ? error
      : new ConditionRefused(
          "limit",
          `Nested more than ${limits.depth} levels deep. Split the condition`,
          0,
        )
  }
}

function parseAndCheck(source: unknown): SyntaxNode {
  if (typeof source !== "string")
    throw new ConditionRefused("syntax", "A condition must be a string", 0)
  const from = skipSpace(source, 0, source.length)
  const to = skipSpaceBack(source, from, source.length)
  if (from === to)
    throw new ConditionRefused(
      "syntax",
      "The condition is empty. Write an expression, such as session_state['score'] >= 8",
      0,
    )
  if (source.length > limits.source && codePointLength(source) > limits.source) {
    throw new ConditionRefused(
      "limit",
      `The condition has more than ${limits.source} characters. Shorten it, or let a tool compute the value`,
      limits.source,
    )
  }
  refuseDeepBrackets(source)
  refuseStrangeText(source)
  const tree = parse(source, from, to)
  check(tree, source)
  return tree
}

/**
 * Throws if the brackets of a source are nested too deeply. This check is needed before the
 * recursive parser runs. It also counts brackets inside strings.
 */
function refuseDeepBrackets(source: string): void {
  let depth = 0
  for (let offset = 0; offset < source.length; offset++) {
    const code = source.charCodeAt(offset)
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > limits.depth)
        throw new ConditionRefused(
          "limit",
          `Brackets are nested more than ${limits.depth} levels deep. Split the condition`,
          offset,
        )
    } else if (code === 41 || code === 93 || code === 125) {
      depth--
    }
  }
}

/**
 * Throws if a source contains null bytes or lone surrogates, because Python does not allow them in
 * a source, even inside strings.
 */
function refuseStrangeText(source: string): void {
  const strange = /\0|\p{Surrogate}/u.exec(source)
  if (strange !== null)
    throw new ConditionRefused(
      "syntax",
      "The condition contains a null byte or half of a surrogate pair. Write an escape such as \\x00",
      strange.index,
    )
}
