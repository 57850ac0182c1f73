import { checkFormatCall, formatPattern } from "./check-format-call.js"
import { refuseDunder } from "./refuse-dunder.js"
import { ConditionRefused, type RefusalReason } from "../limits/condition-refused.js"
import {
  builtinKeywords,
  consumers,
  consumingMethods,
  keyFunctions,
  mappingBuiltins,
  methodKeywords,
  streamBuiltins,
  typeNames,
  widthMethods,
} from "../syntax/language.js"
import { limits } from "../limits/limits.js"
import { staticInteger, staticIterations } from "./static-size.js"
import type { Attribute, Call, Name, SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * The way in which the parent of an expression uses its value. The use decides whether a builtin
 * name, a generator or a range is allowed, and selects the suggested fix for an unknown name.
 *
 * - `consumed`: the parent immediately iterates over the value
 * - `type`: the value is the second argument of `isinstance`
 * - `key`: the value is a function that is passed as an argument, such as `key=len`
 */
export type ExpressionUse = "value" | "callee" | "consumed" | "type" | "key" | "index" | "compared"

/**
 * The context in which an expression of a condition is checked. `scope` contains the loop
 * variables. `use` is the way in which the enclosing expression uses the value. `descend` checks a
 * subexpression.
 */
export interface CheckContext {
  readonly scope: ReadonlySet<string>
  readonly use: ExpressionUse
  descend(child: SyntaxNode, use?: ExpressionUse): void
}

export function checkCall(node: Call, context: CheckContext): void {
  for (const argument of node.args) {
    if (argument.type === "forbidden" && argument.reason === "starred")
      refuse("starred", '"*" in a call is not allowed. Pass the list itself: max(values)', argument)
  }
  for (const keyword of node.keywords) {
    if (keyword.name === null)
      refuse("starred", '"**" in a call is not allowed. Name the keywords', keyword)
  }
  if (node.callee.type === "name") checkBuiltinCall(node, node.callee, context)
  else if (node.callee.type === "attribute") checkMethodCall(node, node.callee, context)
  else
    refuse(
      "call",
      "Only built-in functions and methods can be called. docs/conditions.md lists them",
      node,
    )
  const names = new Set<string | null>()
  for (const keyword of node.keywords) {
    if (names.has(keyword.name))
      refuse("syntax", `The keyword ${keyword.name}= is repeated. Remove one of them`, keyword)
    names.add(keyword.name)
  }
}

function checkBuiltinCall(node: Call, callee: Name, context: CheckContext): void {
  const name = callee.id
  context.descend(callee, "callee")
  if (context.scope.has(name))
    refuse("call", `The loop variable "${name}" cannot be called. Remove the parentheses`, node)
  if (name === "session_state")
    refuse("call", "session_state is a dict. Read a key with session_state.get('key')", node)
  if (streamBuiltins.has(name) && context.use !== "consumed") {
    refuse(
      "iterator-value",
      `${name}() returns an iterator. Write list(${name}(...)) to get its items`,
      node,
    )
  }
  if (name === "isinstance") return checkIsinstance(node, context)
  const first = node.args[0]
  if (name === "next" && (first?.type !== "generator" || node.args.length > 2)) {
    refuse(
      "next",
      "next() takes a generator and optionally a default: next((x for x in values), None)",
      node,
    )
  }
  if (mappingBuiltins.has(name)) return checkMapping(node, name, context)
  node.args.forEach((argument, index) => {
    if (argument.type === "generator" && (name === "len" || name === "reversed")) {
      refuse("generator-value", `${name}() does not take a generator. Wrap it in list()`, argument)
    }
    context.descend(
      argument,
      consumesArgument(name, index, node.args.length) ? "consumed" : "value",
    )
  })
  for (const keyword of node.keywords) {
    if (name === "dict") refuseDunder(keyword.name!, keyword.start)
    else if (!builtinKeywords.get(name)?.has(keyword.name!))
      refuse("keyword", `${name}() has no keyword ${keyword.name}=. Remove it`, keyword)
    const isKey = keyword.name === "key" && name !== "dict"
    context.descend(keyword.value, isKey ? "key" : "value")
    if (isKey && !isKeyFunction(keyword.value, context)) {
      refuse(
        "keyfn",
        `key= must be one of ${keyFunctionNames}, or the get method of a dict`,
        keyword.value,
      )
    }
  }
  if (name === "range" && staticIterations(node) > limits.staticIterations) {
    refuse(
      "resource",
      `The range has more than ${limits.staticIterations} numbers. Use a smaller one`,
      node,
    )
  }
}

function checkMapping(node: Call, name: string, context: CheckContext): void {
  const [passed, values] = node.args
  if (passed === undefined || values === undefined || node.args.length > 2) {
    refuse(
      "arity",
      `${name}() takes a function and a list. A comprehension does the same: [len(item) for item in values]`,
      node,
    )
  }
  const [keyword] = node.keywords
  if (keyword !== undefined)
    refuse("keyword", `${name}() takes no keyword arguments. Remove them`, keyword)
  const isNone = name === "filter" && passed.type === "constant" && passed.value === null
  context.descend(passed, isNone ? "value" : "key")
  if (!isNone && !isKeyFunction(passed, context)) {
    refuse(
      "keyfn",
      `The function of ${name}() must be one of ${keyFunctionNames}, or the get method of a dict. Write a comprehension for anything else`,
      passed,
    )
  }
  context.descend(values, "consumed")
}

function isKeyFunction(node: SyntaxNode, context: CheckContext): boolean {
  if (node.type === "attribute") return node.name === "get"
  return node.type === "name" && keyFunctions.has(node.id) && !context.scope.has(node.id)
}

const keyFunctionNames = [...keyFunctions].join(", ")

function consumesArgument(name: string, index: number, count: number): boolean {
  if (!consumers.has(name)) return false
  if (name === "zip") return true
  return index === 0 && !((name === "min" || name === "max") && count > 1)
}

function checkIsinstance(node: Call, context: CheckContext): void {
  const [value, type] = node.args
  if (
    value === undefined ||
    type === undefined ||
    node.args.length > 2 ||
    node.keywords.length > 0
  ) {
    refuse("arity", "isinstance() takes a value and a type: isinstance(value, str)", node)
  }
  context.descend(value)
  if (type.type === "tuple") {
    for (const element of type.elements) {
      if (element.type !== "name" || context.scope.has(element.id))
        refuse(
          "isinstance",
          `The items must be names of types: ${[...typeNames].join(", ")}`,
          element,
        )
      context.descend(element, "type")
    }
  } else if (type.type === "name" && !context.scope.has(type.id) && typeNames.has(type.id)) {
    context.descend(type, "type")
  } else if (type.type === "binary") {
    refuse("isinstance", "Write the types as a tuple: isinstance(value, (int, float))", type)
  } else {
    refuse(
      "isinstance",
      `The second argument must be a type or a tuple of types: ${[...typeNames].join(", ")}`,
      type,
    )
  }
}

function checkMethodCall(node: Call, callee: Attribute, context: CheckContext): void {
  context.descend(callee, "callee")
  const use = consumingMethods.has(callee.name) ? "consumed" : "value"
  for (const argument of node.args)
    context.descend(argument, callee.name === "get" && argument === node.args[0] ? "index" : use)
  const pattern = formatPattern(callee)
  if (pattern !== null) checkFormatCall(node, callee, pattern)
  const width = widthMethods.has(callee.name) ? staticInteger(node.args[0]) : null
  if (width !== null && width > BigInt(limits.text)) {
    refuse("resource", `The width must be at most ${limits.text} characters`, node)
  }
  for (const keyword of node.keywords) {
    if (pattern === null && !methodKeywords.get(callee.name)?.has(keyword.name!))
      refuse("keyword", `.${callee.name}() has no keyword ${keyword.name}=. Remove it`, keyword)
    context.descend(keyword.value)
  }
}

function refuse(reason: RefusalReason, message: string, node: { readonly start: number }): never {
  throw new ConditionRefused(reason, message, node.start)
}
