import { bitLength } from "../numbers/bit-length.js"
import { codePointLength } from "../characters/code-points.js"
import { ConditionRefused } from "../limits/condition-refused.js"
import { limits } from "../limits/limits.js"
import type { Comparison, Constant, SyntaxNode } from "../syntax/syntax-tree.js"

/** Checks a literal of a condition. Throws if a string is too long or an integer is too large. */
export function checkConstant(node: Constant): void {
  const { value } = node
  if (typeof value === "string") {
    if (value.length > limits.stringLiteral && codePointLength(value) > limits.stringLiteral) {
      throw new ConditionRefused(
        "limit",
        `A string literal has more than ${limits.stringLiteral} characters. Shorten it`,
        node.start,
      )
    }
  } else if (typeof value === "bigint" && bitLength(value) > limits.integerBits) {
    throw new ConditionRefused(
      "limit",
      `An integer has more than ${limits.integerBits} bits. Use a smaller number`,
      node.start,
    )
  }
}

/** Checks the operators `is` and `is not`. Throws unless one operand is None, True or False. */
export function checkIdentity(node: Comparison): void {
  node.operators.forEach((operator, index) => {
    if (operator !== "is" && operator !== "is not") return
    if (!isSingleton(node.operands[index]!) && !isSingleton(node.operands[index + 1]!)) {
      const replacement = operator === "is" ? "==" : "!="
      throw new ConditionRefused(
        "identity",
        `"${operator}" is only allowed with None, True or False. Use ${replacement}`,
        node.operands[index + 1]!.start,
      )
    }
  })
}

function isSingleton(node: SyntaxNode): boolean {
  return node.type === "constant" && (node.value === null || typeof node.value === "boolean")
}

/** Returns whether a syntax node is a string literal or an f-string. */
export function isText(node: SyntaxNode): boolean {
  return (
    node.type === "formatted-text" || (node.type === "constant" && typeof node.value === "string")
  )
}

/**
 * Checks an item of a Python set or a key of a dict. Throws for lists, sets and dicts, because they
 * are not hashable.
 */
export function checkHashable(node: SyntaxNode | null): void {
  switch (node?.type) {
    case "set":
    case "dict":
    case "list":
    case "list-comprehension":
    case "set-comprehension":
    case "dict-comprehension":
      throw new ConditionRefused(
        "unhashable",
        "A list, set or dict cannot be an item of a set or a key of a dict. Conditions have no {{ }} templates: write the expression without braces",
        node.start,
      )
  }
}

/**
 * Returns the error message for Python syntax that conditions do not support. `reason` selects the
 * suggested fix in the message. `what` is the name of the syntax, such as `"yield"`.
 */
export function forbiddenMessage(reason: string, what: string): string {
  switch (reason) {
    case "lambda":
      return "lambda is not allowed. Write a comprehension; for key= name a function, such as key=len or key=scores.get"
    case "assignment":
      return '":=" is not allowed. Write the value where it is needed'
    case "starred":
      return `${what} is not allowed. Pass the list itself, such as max(values), or join lists with +`
    case "await":
    case "yield":
      return `${what} is not allowed. A condition only reads values, so leave it out`
  }
  return `${what} is not allowed`
}
