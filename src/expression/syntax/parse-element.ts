import { ConditionRefused } from "../limits/condition-refused.js"
import type { SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

interface ElementGrammar {
  expression(reader: TokenReader): SyntaxNode
  operand(reader: TokenReader): SyntaxNode
}

/**
 * Parses an item of a list, set or tuple. Accepts the unsupported forms `*items` and
 * `name := value`, so that they are rejected later with a specific message.
 */
export function parseElement(reader: TokenReader, grammar: ElementGrammar): SyntaxNode {
  const { start } = reader.current
  if (reader.take("*")) {
    grammar.operand(reader)
    return { type: "forbidden", start, reason: "starred", what: '"*"' }
  }
  if (
    reader.current.type === "name" &&
    reader.following.text === ":=" &&
    reader.following.type === "operator"
  ) {
    reader.advance()
    reader.advance()
    grammar.expression(reader)
    return { type: "forbidden", start, reason: "assignment", what: '":="' }
  }
  return grammar.expression(reader)
}

export function atComprehension(reader: TokenReader): boolean {
  if (reader.isAt("for")) return true
  return (
    reader.isAt("async") && reader.following.type === "keyword" && reader.following.text === "for"
  )
}

export function refuseStar(node: SyntaxNode): void {
  if (node.type === "forbidden" && node.reason === "starred") {
    throw new ConditionRefused("syntax", 'A "*" is not allowed here. Remove it', node.start)
  }
}
