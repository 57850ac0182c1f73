import type jsonata from "jsonata"

/**
 * The costs of the syntax nodes of an expression, in addition to one unit of work for each
 * evaluation. The meter charges them, because JSONata internally visits or copies values for these
 * nodes.
 */
export interface NodeCosts {
  /**
   * The number of times that JSONata visits the whole result of a syntax node again, for example to
   * compare or convert it. The key is the syntax node.
   */
  readonly walks: ReadonlyMap<object, number>
  /**
   * Additional units of work that the meter charges for each evaluation of a syntax node, by syntax
   * node.
   */
  readonly extra: ReadonlyMap<object, number>
  /**
   * Syntax nodes that can modify existing values. After such a node is evaluated, the cached sizes
   * of values are no longer valid.
   */
  readonly changes: ReadonlySet<object>
}

/** A node of JSONata's syntax tree, including the fields that JSONata's type declarations omit. */
interface Node extends Omit<jsonata.ExprNode, "type" | "lhs" | "rhs" | "stages" | "expressions"> {
  readonly type: string
  readonly lhs?: unknown
  readonly rhs?: unknown
  readonly expression?: Node
  readonly condition?: Node
  readonly expressions?: readonly Node[]
  readonly predicate?: readonly { readonly expr: Node }[]
  readonly stages?: readonly { readonly type: string; readonly expr?: Node }[]
  readonly group?: { readonly lhs: readonly (readonly [Node, Node])[] }
  readonly terms?: readonly { readonly expression: Node }[]
  readonly update?: Node
  readonly delete?: Node
  readonly tuple?: boolean
  readonly focus?: string
  readonly index?: string
  readonly ancestor?: unknown
}

/**
 * Cost of appending a value to a list, in units of work of about one microsecond. JSONata copies up
 * to 10,000 entries, which takes a few microseconds.
 */
const append = 5

/**
 * Returns the costs of the syntax nodes of an expression, in addition to one unit of work for each
 * evaluation.
 */
export function nodeCosts(ast: jsonata.ExprNode): NodeCosts {
  const walks = new Map<object, number>()
  const extra = new Map<object, number>()
  const changes = new Set<object>()
  const walk = (node: unknown, times = 2): void => {
    if (isNode(node)) walks.set(node, (walks.get(node) ?? 0) + times)
  }
  const spend = (node: unknown, units: number): void => {
    if (isNode(node)) extra.set(node, (extra.get(node) ?? 0) + units)
  }
  const nodes = [...nodesOf(ast)]
  const bindings = countBindings(nodes)
  for (const node of nodes) {
    if (node.type === "binary") {
      // For `=` and `!=`, JSONata sorts the keys of objects. Other operators convert an invalid
      // operand to text for the error message.
      const times = node.value === "=" || node.value === "!=" ? 8 : 2
      walk(node.lhs, times)
      walk(node.rhs, times)
    }
    if (node.type === "unary") walk(node.expression)
    if (node.type === "unary" && node.value === "[")
      for (const item of node.expressions ?? []) spend(item, append)
    if (node.type === "unary" && node.value === "{") groupCosts(node.lhs)
    if (node.tuple === true || bindings > 0) spend(node, 1 + bindings)
    walk(node.condition)
    for (const { expr } of node.predicate ?? []) walk(expr)
    for (const { expr } of node.stages ?? []) walk(expr)
    for (const { expression } of node.terms ?? []) {
      walk(expression)
      // For each comparison, JSONata's sort function copies the remaining list.
      spend(expression, 2)
    }
    groupCosts(node.group?.lhs)
    if (node.type === "transform") {
      walk(node.update, 4)
      walk(node.delete, 4)
      if (node.update !== undefined) changes.add(node.update)
    }
  }
  return { walks, extra, changes }

  function groupCosts(pairs: unknown): void {
    if (!Array.isArray(pairs)) return
    for (const [key] of pairs as readonly (readonly [Node, Node])[]) {
      walk(key)
      spend(key, append * (1 + bindings))
    }
  }
}

/**
 * Returns the number of variables that an expression binds with `@`, `#` or `%`. JSONata copies all
 * of these variables for each list entry and path step.
 */
export const bindingsOf = (ast: jsonata.ExprNode): number => countBindings(nodesOf(ast))

function countBindings(nodes: Iterable<Node>): number {
  let count = 0
  for (const { focus, index, ancestor } of nodes) {
    if (focus !== undefined) count++
    if (index !== undefined) count++
    if (ancestor !== undefined) count++
  }
  return count
}

/** Yields every node of a JSONata syntax tree once. */
function* nodesOf(ast: jsonata.ExprNode): Iterable<Node> {
  const seen = new Set<object>()
  const open: unknown[] = [ast]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    if (isNode(value)) yield value
    open.push(...Object.values(value))
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value
