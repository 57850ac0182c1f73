import { parseCondition } from "./parse-condition.js"
import { childNodes } from "./syntax/child-nodes.js"
import type { SyntaxNode } from "./syntax/syntax-tree.js"
import { amountOf } from "./values/values.js"

/**
 * The number and string literals of a condition, grouped by type. Each group is in source order.
 */
export interface ConditionLiterals {
  readonly texts: readonly string[]
  /**
   * The integers and floats of the condition. A minus sign before a literal belongs to the number.
   */
  readonly numbers: readonly number[]
}

/**
 * Returns the string and number literals of a condition.
 *
 * @throws ConditionRefused if the source is not a valid condition.
 */
export function conditionLiterals(source: string): ConditionLiterals {
  const texts: { readonly start: number; readonly value: string }[] = []
  const numbers: { readonly start: number; readonly value: number }[] = []
  const visit = (node: SyntaxNode, sign: 1 | -1): void => {
    if (node.type === "unary" && node.operator === "-")
      return visit(node.operand, sign === 1 ? -1 : 1)
    if (node.type === "constant") {
      const { start, value } = node
      const amount = typeof value === "boolean" ? undefined : amountOf(value)
      if (typeof value === "string") texts.push({ start, value })
      else if (amount !== undefined) numbers.push({ start, value: sign * Number(amount) })
      return
    }
    for (const child of childNodes(node)) visit(child, 1)
  }
  visit(parseCondition(source), 1)
  return { texts: inSourceOrder(texts), numbers: inSourceOrder(numbers) }
}

function inSourceOrder<T>(
  literals: readonly { readonly start: number; readonly value: T }[],
): readonly T[] {
  return literals.toSorted((one, other) => one.start - other.start).map(({ value }) => value)
}
