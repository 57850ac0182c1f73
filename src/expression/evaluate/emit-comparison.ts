import { equals, inOrder } from "../collections/compare.js"
import { contains } from "../text/contains.js"
import type { StepBudget } from "../limits/step-budget.js"
import type { Evaluate } from "./evaluation-frame.js"
import type { VariableScope } from "../check/variable-scope.js"
import type { Comparison, ComparisonOperator, SyntaxNode } from "../syntax/syntax-tree.js"
import type { Value } from "../values/values.js"

type Compare = (left: Value, right: Value, budget: StepBudget) => boolean

const comparisons: Readonly<Record<ComparisonOperator, Compare>> = {
  "==": equals,
  "!=": (left, right, budget) => !equals(left, right, budget),
  "<": (left, right, budget) => inOrder("<", left, right, budget),
  "<=": (left, right, budget) => inOrder("<=", left, right, budget),
  ">": (left, right, budget) => inOrder(">", left, right, budget),
  ">=": (left, right, budget) => inOrder(">=", left, right, budget),
  // The check has ensured that one operand is None, True or False, which are single objects.
  is: (left, right) => left === right,
  "is not": (left, right) => left !== right,
  in: (left, right, budget) => contains(right, left, budget),
  "not in": (left, right, budget) => !contains(right, left, budget),
}

export function emitComparison(
  node: Comparison,
  scope: VariableScope,
  emit: (node: SyntaxNode, scope: VariableScope) => Evaluate,
): Evaluate {
  const operands = node.operands.map((operand) => emit(operand, scope))
  const first = operands[0]!
  if (node.operators.length === 1) {
    const second = operands[1]!
    const text = constantText(node.operands[1]!)
    // Fast path: a string equals only an identical string.
    if (text !== null && node.operators[0] === "==") return (frame) => first(frame) === text
    if (text !== null && node.operators[0] === "!=") return (frame) => first(frame) !== text
    const compare = comparisons[node.operators[0]!]
    return (frame) => compare(first(frame), second(frame), frame.budget)
  }
  const steps = node.operators.map((operator, index) => ({
    compare: comparisons[operator],
    operand: operands[index + 1]!,
  }))
  return (frame) => {
    let left = first(frame)
    for (const { compare, operand } of steps) {
      const right = operand(frame)
      if (!compare(left, right, frame.budget)) return false
      left = right
    }
    return true
  }
}

function constantText(node: SyntaxNode): string | null {
  return node.type === "constant" && typeof node.value === "string" ? node.value : null
}
