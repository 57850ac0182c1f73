import type { ForClause, SyntaxNode } from "./syntax-tree.js"

/**
 * Returns the direct subexpressions of a syntax node. Does not include the target variables of
 * loops.
 */
export function childNodes(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "constant":
    case "name":
    case "forbidden":
      return []
    case "list":
    case "tuple":
    case "set":
      return node.elements
    case "dict":
      return [...node.keys.filter((key) => key !== null), ...node.values]
    case "boolean":
    case "comparison":
      return node.operands
    case "unary":
      return [node.operand]
    case "binary":
      return [node.left, node.right]
    case "conditional":
      return [node.test, node.body, node.otherwise]
    case "call":
      return [node.callee, ...node.args, ...node.keywords.map((keyword) => keyword.value)]
    case "attribute":
      return [node.object]
    case "subscript":
      return [node.object, node.index]
    case "slice":
      return [node.lower, node.upper, node.step].filter((part) => part !== null)
    case "list-comprehension":
    case "set-comprehension":
    case "generator":
      return [node.element, ...clauseNodes(node.clauses)]
    case "dict-comprehension":
      return [node.key, node.value, ...clauseNodes(node.clauses)]
    case "formatted-text":
      return node.parts.map((part) => (part.type === "field" ? part.value : part))
  }
}

function clauseNodes(clauses: readonly ForClause[]): readonly SyntaxNode[] {
  return clauses.flatMap((clause) => [clause.iterable, ...clause.conditions])
}

/** Returns the number of nodes of a syntax tree, including its root. */
export function treeSize(node: SyntaxNode): number {
  let size = 1
  for (const child of childNodes(node)) size += treeSize(child)
  return size
}
