import { ConditionRefused } from "../limits/condition-refused.js"
import type { ForClause, SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

interface ClauseGrammar {
  disjunction(reader: TokenReader): SyntaxNode
  primary(reader: TokenReader): SyntaxNode
}

/** Parses the clauses of a comprehension, such as `for target in iterable if condition`. */
export function parseClauses(reader: TokenReader, grammar: ClauseGrammar): ForClause[] {
  const clauses: ForClause[] = []
  for (;;) {
    const { start } = reader.current
    const isAsync = reader.take("async")
    if (!reader.take("for")) {
      if (isAsync) reader.fail('Expected "for" after "async"')
      return clauses
    }
    const target = targets(reader, grammar)
    reader.expect("in", 'Expected "in" after the loop variable')
    const iterable = grammar.disjunction(reader)
    const conditions: SyntaxNode[] = []
    while (reader.take("if")) conditions.push(grammar.disjunction(reader))
    clauses.push({ start, target, iterable, conditions, isAsync })
  }
}

function targets(reader: TokenReader, grammar: ClauseGrammar): SyntaxNode {
  const { start } = reader.current
  const first = target(reader, grammar)
  if (!reader.isAt(",")) {
    if (first.type === "forbidden")
      throw new ConditionRefused(
        "starred",
        'A "*" in a loop variable is not allowed. Name each variable',
        first.start,
      )
    return first
  }
  const elements = [first]
  while (reader.take(",") && !reader.isAt("in")) elements.push(target(reader, grammar))
  return { type: "tuple", start, elements }
}

function target(reader: TokenReader, grammar: ClauseGrammar): SyntaxNode {
  const { start } = reader.current
  if (reader.take("*")) {
    assignable(grammar.primary(reader))
    return { type: "forbidden", start, reason: "starred", what: '"*"' }
  }
  const node = grammar.primary(reader)
  assignable(node)
  return node
}

/**
 * Throws if a loop target is not allowed by Python's grammar. Other unsupported targets are
 * rejected later, with a more specific message.
 */
function assignable(node: SyntaxNode): void {
  switch (node.type) {
    case "name":
    case "attribute":
    case "subscript":
      return
    case "tuple":
    case "list":
      for (const inner of node.elements) assignable(inner)
      return
    case "forbidden":
      if (node.reason === "starred") return
      break
  }
  throw new ConditionRefused(
    "syntax",
    "The loop variable must be a name or a tuple of names",
    node.start,
  )
}
