import { parseClauses } from "./parse-clauses.js"
import { atComprehension, parseElement, refuseStar } from "./parse-element.js"
import { parseStrings } from "./parse-strings.js"
import { numberValue } from "./scan-number.js"
import type { SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

/** The grammar rules of the condition parser that its modules call recursively. */
export interface Grammar {
  expression(reader: TokenReader): SyntaxNode
  disjunction(reader: TokenReader): SyntaxNode
  primary(reader: TokenReader): SyntaxNode
  /**
   * Parses an operand of a comparison, such as `a + 1` in `a + 1 < b`. Also parses the expression
   * after `*` in a list, set or tuple.
   */
  operand(reader: TokenReader): SyntaxNode
  /**
   * Parses the expression in a field of an f-string, such as `x` in `f"{x}"`. `from` and `to`
   * delimit the expression in the source.
   */
  field(source: string, from: number, to: number): SyntaxNode
}

/** Parses a name, a literal or an expression in brackets of any kind. */
export function parseAtom(reader: TokenReader, grammar: Grammar): SyntaxNode {
  const token = reader.current
  switch (token.type) {
    case "name":
      reader.advance()
      return { type: "name", start: token.start, id: token.text }
    case "number":
      return numeral(reader)
    case "string":
      return parseStrings(reader, grammar.field)
    case "keyword":
      return keyword(reader)
    case "operator":
      if (reader.take("(")) return parseBracketed(reader, grammar, token.start, ")")
      if (reader.take("[")) return listDisplay(reader, grammar, token.start)
      if (reader.take("{")) return braces(reader, grammar, token.start)
      if (reader.take("..."))
        return { type: "forbidden", start: token.start, reason: "literal", what: '"..."' }
      break
    case "end":
      break
  }
  return reader.fail("Expected a value")
}

function numeral(reader: TokenReader): SyntaxNode {
  const { start, end } = reader.advance()
  const value = numberValue(reader.source.slice(start, end))
  if (value === null)
    return { type: "forbidden", start, reason: "literal", what: "A complex number" }
  return { type: "constant", start, value }
}

function keyword(reader: TokenReader): SyntaxNode {
  const { text, start } = reader.current
  if (text !== "True" && text !== "False" && text !== "None") return reader.fail("Expected a value")
  reader.advance()
  return { type: "constant", start, value: text === "None" ? null : text === "True" }
}

/**
 * Parses a parenthesized expression, a tuple or a generator after its opening bracket. `closing` is
 * null for a field of an f-string, which ends at the end of its source.
 */
export function parseBracketed(
  reader: TokenReader,
  grammar: Grammar,
  start: number,
  closing: ")" | null,
): SyntaxNode {
  const closed = (): boolean =>
    closing === null ? reader.current.type === "end" : reader.take(closing)
  if (closing !== null && closed()) return { type: "tuple", start, elements: [] }
  if (reader.isAt("yield")) return yielded(reader, grammar, closed)
  reader.enter()
  const first = parseElement(reader, grammar)
  let node = first
  if (atComprehension(reader)) {
    refuseStar(first)
    node = { type: "generator", start, element: first, clauses: parseClauses(reader, grammar) }
  } else if (reader.isAt(",")) {
    const elements = [first]
    while (reader.take(",")) {
      if (closing === null ? reader.current.type === "end" : reader.isAt(closing)) break
      elements.push(parseElement(reader, grammar))
    }
    node = { type: "tuple", start, elements }
  }
  if (!closed()) reader.fail('Expected "," or ")"')
  reader.leave()
  return node
}

function yielded(reader: TokenReader, grammar: Grammar, closed: () => boolean): SyntaxNode {
  const { start } = reader.advance()
  if (!closed()) {
    if (reader.take("from")) {
      grammar.expression(reader)
    } else {
      do {
        if (reader.isAt(")") || reader.current.type === "end") break
        parseElement(reader, grammar)
      } while (reader.take(","))
    }
    if (!closed()) reader.fail('Expected ")"')
  }
  return { type: "forbidden", start, reason: "yield", what: '"yield"' }
}

function listDisplay(reader: TokenReader, grammar: Grammar, start: number): SyntaxNode {
  if (reader.take("]")) return { type: "list", start, elements: [] }
  reader.enter()
  const first = parseElement(reader, grammar)
  let node: SyntaxNode
  if (atComprehension(reader)) {
    refuseStar(first)
    node = {
      type: "list-comprehension",
      start,
      element: first,
      clauses: parseClauses(reader, grammar),
    }
  } else {
    node = { type: "list", start, elements: moreElements(reader, grammar, first, "]") }
  }
  reader.expect("]", 'Expected "," or "]"')
  reader.leave()
  return node
}

function braces(reader: TokenReader, grammar: Grammar, start: number): SyntaxNode {
  if (reader.take("}")) return { type: "dict", start, keys: [], values: [] }
  reader.enter()
  const node = reader.isAt("**")
    ? dictDisplay(reader, grammar, start, null)
    : setOrDict(reader, grammar, start)
  reader.expect("}", 'Expected "," or "}"')
  reader.leave()
  return node
}

function setOrDict(reader: TokenReader, grammar: Grammar, start: number): SyntaxNode {
  const first = parseElement(reader, grammar)
  if (reader.isAt(":")) {
    refuseStar(first)
    return dictDisplay(reader, grammar, start, first)
  }
  if (atComprehension(reader)) {
    refuseStar(first)
    return {
      type: "set-comprehension",
      start,
      element: first,
      clauses: parseClauses(reader, grammar),
    }
  }
  return { type: "set", start, elements: moreElements(reader, grammar, first, "}") }
}

function dictDisplay(
  reader: TokenReader,
  grammar: Grammar,
  start: number,
  firstKey: SyntaxNode | null,
): SyntaxNode {
  const keys: (SyntaxNode | null)[] = []
  const values: SyntaxNode[] = []
  let key = firstKey
  do {
    if (keys.length > 0) {
      if (reader.isAt("}")) break
      key = null
    }
    if (key === null && reader.take("**")) {
      keys.push(null)
      values.push(grammar.operand(reader))
      continue
    }
    key ??= grammar.expression(reader)
    reader.expect(":", 'Expected ":" after a key of a dict')
    const value = grammar.expression(reader)
    if (keys.length === 0 && atComprehension(reader)) {
      return {
        type: "dict-comprehension",
        start,
        key,
        value,
        clauses: parseClauses(reader, grammar),
      }
    }
    keys.push(key)
    values.push(value)
  } while (reader.take(","))
  return { type: "dict", start, keys, values }
}

function moreElements(
  reader: TokenReader,
  grammar: Grammar,
  first: SyntaxNode,
  closing: string,
): SyntaxNode[] {
  const elements = [first]
  while (reader.take(",") && !reader.isAt(closing)) elements.push(parseElement(reader, grammar))
  return elements
}
