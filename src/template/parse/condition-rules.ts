import type { ExpressionNode, Template } from "./parse-template.js"

const comparisons = new Set(["=", "!=", "<", "<=", ">", ">=", "in", "and", "or"])

/**
 * Syntax nodes of JSONata whose value is never a boolean. Maps the type of a node to the noun for
 * it in error messages.
 */
const notBoolean: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  unary: "a list, an object or a negative number",
  lambda: "a function",
  regex: "a regular expression",
  wildcard: "a path",
  descendant: "a path",
  name: "a path",
  transform: "a transformation",
}

/**
 * Returns null if a template can have a boolean value. Otherwise, returns the kind of its
 * expression for an error message, such as `a path`.
 */
export function whyNotBoolean({ parts }: Template): string | null {
  const [only] = parts
  return only?.type === "expression" ? describe(only.program.ast()) : "a text"
}

function describe(node: ExpressionNode): string | null {
  switch (node.type) {
    case "path": {
      const last = node.steps?.at(-1)
      return last === undefined || last.type !== "function" ? "a path" : null
    }
    case "binary":
      return comparisons.has(String(node.value)) ? null : `the result of "${String(node.value)}"`
    case "value":
      return typeof node.value === "boolean" ? null : "null"
    case "block": {
      const last = node.expressions?.at(-1)
      return last === undefined ? "nothing" : describe(last)
    }
    case "condition": {
      const { then, else: otherwise } = node
      const why = then === undefined ? null : describe(then)
      return why !== null && (otherwise === undefined || describe(otherwise) !== null) ? why : null
    }
    case "bind":
      return node.rhs === undefined ? null : describe(node.rhs)
    default:
      return notBoolean[node.type] ?? null
  }
}

/**
 * Returns the keys that a template reads from the variable `root`. For example, returns `["facts"]`
 * for `{{ state.facts }}` if `root` is `state`. Ignores `root` inside filters and later path steps,
 * because it is a field name there.
 */
export function keysReadFrom(root: string, { parts }: Template): readonly string[] {
  const keys = new Set<string>()
  const open: unknown[] = parts.flatMap((part) =>
    part.type === "expression" ? [part.program.ast()] : [],
  )
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== "object" || node === null || node instanceof RegExp) continue
    const { type, steps } = node as { readonly type?: unknown; readonly steps?: unknown }
    if (type === "path" && Array.isArray(steps)) {
      const [first, second] = steps as readonly ExpressionNode[]
      if (first?.type === "name" && first.value === root && second?.type === "name")
        keys.add(String(second.value))
      open.push(first)
    } else open.push(...Object.values(node))
  }
  return [...keys]
}
