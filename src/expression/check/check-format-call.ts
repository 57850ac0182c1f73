import { checkFormatSpec } from "./check-format-spec.js"
import { ConditionRefused } from "../limits/condition-refused.js"
import { parsePattern } from "../text/format-pattern.js"
import type { Attribute, Call, SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * Returns the pattern of a call such as `'{}'.format(x)`. `callee` is the called function. Returns
 * null if it is not the `format` method of a string literal.
 */
export function formatPattern(callee: SyntaxNode): string | null {
  if (callee.type !== "attribute" || callee.name !== "format") return null
  const { object } = callee
  return object.type === "constant" && typeof object.value === "string" ? object.value : null
}

/**
 * Checks a call of Python's `str.format` with a literal pattern. Throws if a field has attributes,
 * indexes, nested fields or no matching argument.
 */
export function checkFormatCall(node: Call, callee: Attribute, pattern: string): void {
  const parts = parsePattern(pattern)
  if (typeof parts === "string")
    throw new ConditionRefused("format", `${parts}. Use an f-string`, callee.object.start)
  for (const part of parts) {
    if (typeof part === "string") continue
    const { argument, spec } = part
    const isGiven =
      typeof argument === "number"
        ? argument < node.args.length
        : node.keywords.some(({ name }) => name === argument)
    if (!isGiven) {
      throw new ConditionRefused(
        "format",
        `The field {${argument}} of the pattern has no argument. Pass one to .format()`,
        callee.start,
      )
    }
    checkFormatSpec(spec, callee.object.start)
  }
}
