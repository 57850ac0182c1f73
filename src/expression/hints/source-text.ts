import type { SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * Returns the source text of a node, for use in a suggested fix. The node ends at the offset `end`.
 * Returns the text `otherwise` if the source is too long or has unbalanced parentheses.
 */
export function valueText(
  source: string,
  value: SyntaxNode,
  end: number,
  otherwise: string,
): string {
  const text = source.slice(firstOffset(value), end).trim()
  const isUsable = text !== "" && text.length <= 60 && isBalanced(text)
  return isUsable ? text : otherwise
}

function firstOffset(node: SyntaxNode): number {
  return node.type === "attribute" || node.type === "subscript"
    ? firstOffset(node.object)
    : node.start
}

/**
 * Returns whether all parentheses in a text are balanced. The source of a node can be unbalanced,
 * because the range of a node excludes the parentheses around it.
 */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    else if (character === ")" && --depth < 0) return false
  }
  return depth === 0
}

/**
 * Returns the first name of an attribute chain, such as `name` for `name.a.b`. Returns null for
 * other nodes.
 */
export function rootName(node: SyntaxNode): string | null {
  if (node.type === "name") return node.id
  return node.type === "attribute" ? rootName(node.object) : null
}

/**
 * Returns the first name in a chain of attributes, calls and subscripts, such as `name` for
 * `name.a().b[0]`. The name may be a Python module. Returns null for other nodes.
 */
export function moduleName(node: SyntaxNode): string | null {
  switch (node.type) {
    case "name":
      return node.id
    case "attribute":
    case "subscript":
      return moduleName(node.object)
    case "call":
      return moduleName(node.callee)
  }
  return null
}

/**
 * Rewrites an attribute chain such as `state.a.b` to `session_state['a']['b']`. Returns null if the
 * node is not such a chain.
 */
export function asSubscripts(node: SyntaxNode, states: ReadonlySet<string>): string | null {
  if (node.type === "name")
    return states.has(node.id) ? "session_state" : `session_state['${node.id}']`
  if (node.type !== "attribute") return null
  const object = asSubscripts(node.object, states)
  if (object === null) return null
  const isStateOfContext = node.name === "state" && object === "session_state"
  return isStateOfContext ? object : `${object}['${node.name}']`
}
