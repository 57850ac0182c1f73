import { childNodes } from "../syntax/child-nodes.js"
import type { BooleanChain, SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * A part of a condition that is true for every state, which is probably a mistake. A condition is a
 * Python expression that reads the session state.
 */
export interface AlwaysTrue {
  /**
   * The problem as the rest of a sentence that begins with the condition, such as "is always true:
   * it is a dict with keys".
   */
  readonly problem: string
  /** Suggested correction, as an imperative sentence. */
  readonly fix: string
  /** Column in the source of the condition, counted from 1. */
  readonly column: number
}

/**
 * Finds the parts of a condition that are true for every session state. Such parts are probably
 * mistakes, for example the `'b'` in `x == 'a' or 'b'`.
 */
export function findAlwaysTrue(tree: SyntaxNode): readonly AlwaysTrue[] {
  const found: AlwaysTrue[] = []
  const add = (node: SyntaxNode, problem: string, fix: string): void => {
    found.push({ problem, fix, column: node.start + 1 })
  }

  /** Checks an expression of which only the truth value matters, such as an operand of `and`. */
  const inspectTruth = (node: SyntaxNode): void => {
    switch (node.type) {
      case "tuple":
        if (node.elements.length > 0) add(node, ...tupleProblem(node.elements))
        break
      case "list":
      case "set":
        if (node.elements.length > 0) {
          const kind = `a ${node.type} with ${node.elements.length === 1 ? "an item" : "items"}`
          add(node, `is always true: it is ${kind}`, "Remove the brackets around the condition.")
        }
        break
      case "dict":
        if (node.keys.length > 0) {
          add(
            node,
            "is always true: it is a dict with keys",
            "Remove the braces around the condition.",
          )
        }
        break
      case "formatted-text":
        if (node.parts.some((part) => part.type === "constant")) {
          add(
            node,
            "is always true: it is a text that is not empty",
            "Compare the text with another one.",
          )
        }
        break
      case "boolean":
        inspectChain(node)
        return
      case "unary":
        if (node.operator === "not") {
          inspectTruth(node.operand)
          return
        }
        break
      case "conditional":
        for (const part of [node.test, node.body, node.otherwise]) inspectTruth(part)
        return
    }
    inspectParts(node)
  }

  const inspectChain = (node: BooleanChain): void => {
    for (const operand of node.operands) {
      if (isLiteral(operand)) add(operand, ...literalProblem(node, operand))
      else inspectTruth(operand)
    }
  }

  /**
   * Checks the subexpressions whose exact value is used, such as the operands of a comparison.
   * Reports each `or` whose first operand is a constant that is always true. For example, `'a' or
   * 'b'` is always `'a'`.
   */
  const inspectParts = (node: SyntaxNode): void => {
    for (const child of childNodes(node)) {
      const first = child.type === "boolean" ? child.operands[0] : undefined
      if (child.type === "boolean" && child.operator === "or" && first && isLiteral(first)) {
        add(
          child,
          `compares with ${literalText(first)} only: the rest of the "or" is never used`,
          "Write x in ('a', 'b') to compare with several values.",
        )
      } else {
        inspectParts(child)
      }
    }
  }

  inspectTruth(tree)
  return found
}

function tupleProblem(elements: readonly SyntaxNode[]): [problem: string, fix: string] {
  if (elements.length === 1) {
    return [
      "is always true: the comma makes it a tuple with one item",
      "Remove the comma at the end.",
    ]
  }
  const first = elements[0]
  const isGrouped = elements.slice(1).every(isLiteralNumber)
  const isMembership =
    first?.type === "comparison" && ["in", "not in"].includes(first.operators.at(-1) ?? "")
  return [
    `is always true: the comma makes it a tuple with ${elements.length} items`,
    isMembership
      ? "Put brackets around the values: x in ('a', 'b')."
      : isGrouped
        ? "Write a large number without commas: 1000 or 1_000."
        : 'Join the parts with "and" or "or" instead of a comma.',
  ]
}

function literalProblem(
  { operator, operands }: BooleanChain,
  operand: SyntaxNode,
): [problem: string, fix: string] {
  const text = literalText(operand)
  const comparison = operands.find((other) => other.type === "comparison")
  const symbol = comparison?.type === "comparison" ? comparison.operators.at(-1) : undefined
  const isEquality = symbol === "==" || symbol === "!="
  const fix = isEquality
    ? `Write x ${symbol === "==" ? "in" : "not in"} ('a', 'b') to compare with several values, or repeat the comparison: x ${symbol} 'a' ${operator} x ${symbol} 'b'.`
    : `Repeat the whole comparison on both sides of the "${operator}".`
  return operator === "or"
    ? [`contains an "or" that is always true: ${text} is true by itself`, fix]
    : [`contains ${text} as a condition of its own, which is always true`, fix]
}

function isLiteralNumber(node: SyntaxNode): boolean {
  return node.type === "constant" && typeof node.value === "number"
}

/**
 * Returns whether a node is a literal that is always true, such as `'a'` or 1. Returns false for
 * the literal `True`, because it is intentional.
 */
function isLiteral(node: SyntaxNode): boolean {
  return (
    node.type === "constant" &&
    node.value !== null &&
    typeof node.value !== "boolean" &&
    node.value !== "" &&
    node.value !== 0
  )
}

function literalText(node: SyntaxNode): string {
  if (node.type !== "constant") return "a value"
  const { value } = node
  if (typeof value === "string")
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "a number"
}
