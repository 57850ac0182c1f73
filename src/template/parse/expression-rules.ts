import type jsonata from "jsonata"
import { regexCost } from "../../regex/regex-cost.js"
import { bindingsOf } from "../guard/node-costs.js"
import { TemplateRefused } from "../limits/template-errors.js"

/**
 * Facts about a JSONata expression that are known after parsing. They are the secrets that the
 * expression reads, and whether the expression is only a path.
 */
export interface ExpressionFacts {
  /** Names of the secrets that the expression reads with `$secret('name')`, in source order. */
  readonly secretNames: readonly string[]
  /**
   * Whether the expression is only a path such as `state.a.b`. A path cannot modify the state, so
   * it can be evaluated without a copy of the state.
   */
  readonly plainPath: boolean
}

/**
 * Checks a parsed JSONata expression and returns its properties. Rejects `$secret` without a string
 * literal, so that the secrets of a call are known in advance and do not depend on the state.
 * Rejects `$eval`, because it would bypass this rule. Also rejects expensive regular expressions
 * and functions.
 */
export function expressionFacts(ast: jsonata.ExprNode, offset: number): ExpressionFacts {
  const secretNames: string[] = []
  const calls = new Set<unknown>()
  const open: unknown[] = [ast]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== "object" || node === null) continue
    if (node instanceof RegExp) {
      const cost = regexCost(node.source)
      if (typeof cost === "string")
        throw new TemplateRefused(
          offset,
          `/${node.source}/ may never finish: ${cost}. Rewrite the pattern.`,
        )
      continue
    }
    if (isNode(node)) refuseCostlyCall(node, offset)
    if (isVariable(node, "secret") && !calls.has(node)) throw refusedSecret(node, offset)
    if (isVariable(node, "eval")) {
      throw new TemplateRefused(
        offset,
        "$eval is not available in templates. Write the expression itself.",
      )
    }
    if (isNode(node) && node.type === "function" && isVariable(node.procedure, "secret")) {
      const [name, ...more] = node.arguments ?? []
      if (name?.type !== "string" || more.length > 0) throw refusedSecret(node.procedure, offset)
      secretNames.push(String(name.value))
      calls.add(node.procedure)
    }
    open.push(...Object.values(node).reverse())
  }
  const bindings = bindingsOf(ast)
  if (bindings > maxBindings)
    throw new TemplateRefused(
      offset,
      `it binds ${bindings} variables with "@", "#" or "%"; the limit is ${maxBindings}. Use fewer variables.`,
    )
  return { secretNames: [...new Set(secretNames)], plainPath: isPlainPath(ast) }
}

/**
 * Maximum number of variables that one expression can bind. JSONata copies all variables of a path
 * for each list entry and path step.
 */
const maxBindings = 16

/**
 * Maximum number of optional or repeated parameters in the signature of a function. JSONata matches
 * arguments with a regular expression that backtracks over these parameters.
 */
const maxOptional = 4
const maxArguments = 32

function refuseCostlyCall(node: jsonata.ExprNode, offset: number): void {
  if ((node.arguments?.length ?? 0) > maxArguments)
    throw new TemplateRefused(
      offset,
      `a function has more than ${maxArguments} arguments. Pass an object or a list instead.`,
    )
  const { signature } = node as { readonly signature?: { readonly definition?: unknown } }
  const optional = String(signature?.definition ?? "").match(/[?+-]/g)?.length ?? 0
  if (optional > maxOptional)
    throw new TemplateRefused(
      offset,
      `the signature of a function has more than ${maxOptional} optional or repeated parameters. Remove the signature.`,
    )
}

const refusedSecret = (node: unknown, offset: number): TemplateRefused =>
  new TemplateRefused(
    offset + Math.max(0, ((node as jsonata.ExprNode).position ?? 1) - 1 - "secret".length),
    "$secret takes one quoted name: $secret('name'). The name cannot come from the state, and $secret cannot be passed to a function.",
  )

const isNode = (value: unknown): value is jsonata.ExprNode =>
  typeof value === "object" && value !== null && "type" in value

const isVariable = (value: unknown, name: string): value is jsonata.ExprNode =>
  isNode(value) && value.type === "variable" && value.value === name

const plainKeys = new Set(["type", "value", "position"])

/**
 * Returns whether an expression is only a path such as `state.a.b`. The cast is needed because
 * JSONata's type declarations omit the type `path`.
 */
function isPlainPath(ast: jsonata.ExprNode): boolean {
  if (
    (ast.type as string) !== "path" ||
    Object.keys(ast).some((key) => key !== "type" && key !== "steps")
  )
    return false
  return (ast.steps ?? []).every(
    (step) => step.type === "name" && Object.keys(step).every((key) => plainKeys.has(key)),
  )
}
