import { checkCall, type ExpressionUse } from "./check-call.js"
import { checkFormatSpec } from "./check-format-spec.js"
import { checkAttribute, checkName } from "./check-names.js"
import { ConditionRefused } from "../limits/condition-refused.js"
import { builtinNames, mappingBuiltins } from "../syntax/language.js"
import { limits } from "../limits/limits.js"
import {
  checkConstant,
  checkHashable,
  checkIdentity,
  forbiddenMessage,
  isText,
} from "./node-rules.js"
import { refuseDunder } from "./refuse-dunder.js"
import { checkStaticSize, staticIterations } from "./static-size.js"
import type {
  Comprehension,
  DictComprehension,
  ForClause,
  SyntaxNode,
} from "../syntax/syntax-tree.js"

/**
 * Checks that every node of a condition's syntax tree is allowed. Conditions support a safe subset
 * of Python.
 *
 * @throws ConditionRefused for the first problem, in Python's evaluation order.
 */
export function check(tree: SyntaxNode, source: string): void {
  let nodes = 0

  const walk = (
    node: SyntaxNode,
    depth: number,
    scope: ReadonlySet<string>,
    use: ExpressionUse,
    comprehensions: number,
  ): void => {
    if (++nodes > limits.nodes)
      throw new ConditionRefused(
        "limit",
        `The condition has more than ${limits.nodes} parts. Split it`,
        node.start,
      )
    if (depth > limits.depth)
      throw new ConditionRefused(
        "limit",
        `Nested more than ${limits.depth} levels deep. Split the condition`,
        node.start,
      )
    const descend = (child: SyntaxNode, use: ExpressionUse = "value"): void =>
      walk(child, depth + 1, scope, use, comprehensions)
    switch (node.type) {
      case "forbidden":
        throw new ConditionRefused(
          node.reason,
          forbiddenMessage(node.reason, node.what),
          node.start,
        )
      case "constant":
        return checkConstant(node)
      case "name":
        return checkName(node, scope, use)
      case "attribute":
        checkAttribute(node, scope, use, source)
        return descend(node.object)
      case "call":
        return checkCall(node, { scope, use, descend })
      case "list-comprehension":
      case "set-comprehension":
      case "generator":
      case "dict-comprehension":
        return checkComprehension(node, depth, scope, use, comprehensions)
      case "comparison":
        checkIdentity(node)
        node.operands.forEach((operand, index) => {
          const membership =
            index > 0 &&
            (node.operators[index - 1] === "in" || node.operators[index - 1] === "not in")
          descend(operand, membership && operand.type !== "generator" ? "consumed" : "compared")
        })
        return
      case "binary":
        if (node.operator === "@")
          throw new ConditionRefused(
            "operator",
            '"@" is not allowed. Use * to multiply',
            node.start,
          )
        if (node.operator === "%" && isText(node.left)) {
          throw new ConditionRefused(
            "format",
            "%-formatting is not allowed. Use an f-string",
            node.start,
          )
        }
        descend(node.left)
        descend(node.right)
        return checkStaticSize(node)
      case "unary":
        return descend(node.operand)
      case "boolean":
        return node.operands.forEach((operand) => descend(operand))
      case "conditional":
        descend(node.test)
        descend(node.body)
        return descend(node.otherwise)
      case "subscript":
        descend(node.object)
        return descend(node.index, "index")
      case "slice":
        for (const part of [node.lower, node.upper, node.step]) if (part !== null) descend(part)
        return
      case "list":
      case "tuple":
        return node.elements.forEach((element) => descend(element))
      case "set":
        node.elements.forEach(checkHashable)
        return node.elements.forEach((element) => descend(element))
      case "dict":
        node.keys.forEach(checkHashable)
        if (node.keys.includes(null))
          throw new ConditionRefused(
            "starred",
            "** in a dict is not allowed. Write each key and its value",
            node.start,
          )
        node.keys.forEach((key, index) => {
          descend(key!)
          descend(node.values[index]!)
        })
        return
      case "formatted-text":
        for (const part of node.parts) {
          // A part of the text is one level below the f-string. The value of a field is two levels
          // below it.
          if (part.type === "constant") descend(part)
          else checkField(part.value, part.spec, part.start, depth + 1)
        }
        return
    }

    function checkField(value: SyntaxNode, spec: string, start: number, fieldDepth: number): void {
      nodes++
      if (fieldDepth > limits.depth)
        throw new ConditionRefused(
          "limit",
          `Nested more than ${limits.depth} levels deep. Split the condition`,
          start,
        )
      walk(value, fieldDepth + 1, scope, "value", comprehensions)
      checkFormatSpec(spec, start)
    }
  }

  const checkComprehension = (
    node: Comprehension | DictComprehension,
    depth: number,
    outer: ReadonlySet<string>,
    use: ExpressionUse,
    comprehensions: number,
  ): void => {
    if (node.type === "generator" && use !== "consumed") {
      throw new ConditionRefused(
        "generator-value",
        "A generator is always true. Wrap it in any(), all() or list()",
        node.start,
      )
    }
    if (comprehensions + 1 > limits.comprehensionDepth)
      throw new ConditionRefused(
        "limit",
        `Comprehensions are nested more than ${limits.comprehensionDepth} levels deep. Split the condition`,
        node.start,
      )
    if (node.clauses.length > limits.forClauses)
      throw new ConditionRefused(
        "limit",
        `A comprehension has more than ${limits.forClauses} "for" clauses. Nest another comprehension`,
        node.start,
      )
    const scope = new Set(outer)
    let iterations = 1
    for (const clause of node.clauses) {
      if (clause.isAsync)
        throw new ConditionRefused("await", '"async" is not allowed. Remove it', clause.start)
      walk(clause.iterable, depth + 1, scope, "consumed", comprehensions + 1)
      iterations *= staticIterations(clause.iterable)
      if (iterations > limits.staticIterations)
        throw new ConditionRefused(
          "resource",
          `The comprehension has more than ${limits.staticIterations} iterations. Use smaller ranges`,
          clause.start,
        )
      bindTarget(clause.target, scope)
      for (const condition of clause.conditions)
        walk(condition, depth + 1, scope, "value", comprehensions + 1)
    }
    const results = node.type === "dict-comprehension" ? [node.key, node.value] : [node.element]
    for (const result of results) walk(result, depth + 1, scope, "value", comprehensions + 1)
  }

  walk(tree, 0, new Set(), "value", 0)
}

function bindTarget(target: ForClause["target"], scope: Set<string>): void {
  if (target.type === "name") {
    refuseDunder(target.id, target.start)
    if (
      target.id === "session_state" ||
      (builtinNames.has(target.id) && !mappingBuiltins.has(target.id))
    ) {
      throw new ConditionRefused(
        "shadow",
        `The loop variable "${target.id}" hides a built-in name. Choose another`,
        target.start,
      )
    }
    scope.add(target.id)
  } else if (target.type === "tuple") {
    for (const element of target.elements) bindTarget(element, scope)
  } else if (target.type === "forbidden") {
    throw new ConditionRefused(
      "starred",
      'A "*" in a loop variable is not allowed. Name each variable',
      target.start,
    )
  } else {
    throw new ConditionRefused(
      "target",
      "The loop variable must be a name or a tuple of names",
      target.start,
    )
  }
}
