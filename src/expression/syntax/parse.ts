import { type Grammar, parseAtom, parseBracketed } from "./parse-atom.js"
import { parseLambda } from "./parse-lambda.js"
import { parseTrailers } from "./parse-trailers.js"
import type {
  BinaryOperator,
  ComparisonOperator,
  SyntaxNode,
  UnaryOperator,
} from "./syntax-tree.js"
import { TokenReader } from "./token-reader.js"

/**
 * Parses the expression between two offsets of a source, by recursive descent with the grammar of
 * Python 3.11. An existing JavaScript parser is not used, because it parsed `not a and b` as
 * `not (a and b)`.
 */
export function parse(source: string, from: number, to: number): SyntaxNode {
  const reader = new TokenReader(source, from, to, false)
  const node = expressions(reader)
  if (reader.current.type !== "end") reader.fail("Expected the end of the condition")
  return node
}

const grammar: Grammar = { expression, disjunction, primary, operand: bitwise, field: parseField }

/** Parses the contents of `{...}` in an f-string. Line breaks are allowed, as in brackets. */
function parseField(source: string, from: number, to: number): SyntaxNode {
  const reader = new TokenReader(source, from, to, true)
  return parseBracketed(reader, grammar, from, null)
}

/** Parses expressions that are separated by commas. Several expressions form a tuple. */
function expressions(reader: TokenReader): SyntaxNode {
  const start = reader.current.start
  const first = expression(reader)
  if (!reader.isAt(",")) return first
  const elements = [first]
  while (reader.take(",")) {
    if (reader.current.type === "end") break
    elements.push(expression(reader))
  }
  return { type: "tuple", start, elements }
}

function expression(reader: TokenReader): SyntaxNode {
  if (reader.isAt("lambda")) return parseLambda(reader, expression)
  const start = reader.current.start
  const body = disjunction(reader)
  if (!reader.take("if")) return body
  const test = disjunction(reader)
  reader.expect("else", 'Expected "else" after "a if condition"')
  reader.enter()
  const otherwise = expression(reader)
  reader.leave()
  return { type: "conditional", start, test, body, otherwise }
}

function disjunction(reader: TokenReader): SyntaxNode {
  return booleanChain(reader, "or", conjunction)
}

function conjunction(reader: TokenReader): SyntaxNode {
  return booleanChain(reader, "and", inversion)
}

function booleanChain(
  reader: TokenReader,
  operator: "and" | "or",
  next: (reader: TokenReader) => SyntaxNode,
): SyntaxNode {
  const start = reader.current.start
  const first = next(reader)
  if (!reader.isAt(operator)) return first
  const operands = [first]
  while (reader.take(operator)) operands.push(next(reader))
  return { type: "boolean", start, operator, operands }
}

function inversion(reader: TokenReader): SyntaxNode {
  const start = reader.current.start
  if (!reader.take("not")) return comparison(reader)
  reader.enter()
  const operand = inversion(reader)
  reader.leave()
  return { type: "unary", start, operator: "not", operand }
}

function comparison(reader: TokenReader): SyntaxNode {
  const start = reader.current.start
  const first = bitwise(reader)
  let operator = comparisonOperator(reader)
  if (operator === null) return first
  const operators: ComparisonOperator[] = []
  const operands = [first]
  while (operator !== null) {
    operators.push(operator)
    operands.push(bitwise(reader))
    operator = comparisonOperator(reader)
  }
  return { type: "comparison", start, operators, operands }
}

function comparisonOperator(reader: TokenReader): ComparisonOperator | null {
  const token = reader.current
  if (token.type === "operator") {
    switch (token.text) {
      case "==":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        reader.advance()
        return token.text
    }
    return null
  }
  if (token.type !== "keyword") return null
  if (reader.take("in")) return "in"
  if (reader.take("is")) return reader.take("not") ? "is not" : "is"
  if (
    token.text === "not" &&
    reader.following.type === "keyword" &&
    reader.following.text === "in"
  ) {
    reader.advance()
    reader.advance()
    return "not in"
  }
  return null
}

/** Precedence of the left-associative operators of Python. A higher number binds more tightly. */
const precedence: Readonly<Record<Exclude<BinaryOperator, "**">, number>> = {
  "|": 1,
  "^": 2,
  "&": 3,
  "<<": 4,
  ">>": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "//": 6,
  "%": 6,
  "@": 6,
}

function bitwise(reader: TokenReader): SyntaxNode {
  return binary(reader, 1)
}

function binary(reader: TokenReader, lowest: number): SyntaxNode {
  const start = reader.current.start
  let left = unary(reader)
  for (;;) {
    const { type, text } = reader.current
    if (type !== "operator" || !isLeftAssociative(text) || precedence[text] < lowest) return left
    reader.advance()
    const right = binary(reader, precedence[text] + 1)
    left = { type: "binary", start, operator: text, left, right }
  }
}

function isLeftAssociative(operator: string): operator is keyof typeof precedence {
  return Object.hasOwn(precedence, operator)
}

function unary(reader: TokenReader): SyntaxNode {
  const token = reader.current
  if (token.type !== "operator" || (token.text !== "-" && token.text !== "+" && token.text !== "~"))
    return power(reader)
  reader.advance()
  reader.enter()
  const operand = unary(reader)
  reader.leave()
  const operator: UnaryOperator = token.text
  return { type: "unary", start: token.start, operator, operand }
}

function power(reader: TokenReader): SyntaxNode {
  const start = reader.current.start
  const base = reader.isAt("await") ? awaited(reader) : primary(reader)
  if (!reader.take("**")) return base
  reader.enter()
  const exponent = unary(reader)
  reader.leave()
  return { type: "binary", start, operator: "**", left: base, right: exponent }
}

function awaited(reader: TokenReader): SyntaxNode {
  const { start } = reader.advance()
  primary(reader)
  return { type: "forbidden", start, reason: "await", what: '"await"' }
}

function primary(reader: TokenReader): SyntaxNode {
  const start = reader.current.start
  reader.enter()
  const atom = parseAtom(reader, grammar)
  const node = parseTrailers(reader, grammar, atom, start)
  reader.leave()
  return node
}
