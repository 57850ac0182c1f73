import { ConditionRefused } from "../limits/condition-refused.js"
import type { Grammar } from "./parse-atom.js"
import { parseClauses } from "./parse-clauses.js"
import { atComprehension, parseElement, refuseStar } from "./parse-element.js"
import type { Keyword, SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

/**
 * Parses any number of attributes `.name`, calls `(arguments)` and subscripts `[index]` after a
 * value. `atom` is the syntax node of this value.
 */
export function parseTrailers(
  reader: TokenReader,
  grammar: Grammar,
  atom: SyntaxNode,
  start: number,
): SyntaxNode {
  let node = atom
  for (;;) {
    const position = reader.current.start
    if (reader.take(".")) {
      const token = reader.current
      if (token.type !== "name") reader.fail('Expected a method name after "."')
      reader.advance()
      node = { type: "attribute", start: position, object: node, name: token.text }
    } else if (reader.take("(")) {
      node = { type: "call", start, callee: node, ...callArguments(reader, grammar, position) }
    } else if (reader.take("[")) {
      node = { type: "subscript", start: position, object: node, index: index(reader, grammar) }
      reader.expect("]", 'Expected "]"')
    } else {
      return node
    }
  }
}

interface CallArguments {
  readonly args: readonly SyntaxNode[]
  readonly keywords: readonly Keyword[]
}

function callArguments(reader: TokenReader, grammar: Grammar, open: number): CallArguments {
  const args: SyntaxNode[] = []
  const keywords: Keyword[] = []
  while (!reader.isAt(")")) {
    const token = reader.current
    if (reader.take("**")) {
      keywords.push({ name: null, start: token.start, value: grammar.expression(reader) })
    } else if (
      token.type === "name" &&
      reader.following.type === "operator" &&
      reader.following.text === "="
    ) {
      reader.advance()
      reader.advance()
      keywords.push({ name: token.text, start: token.start, value: grammar.expression(reader) })
    } else {
      const argument = starOrElement(reader, grammar)
      const starred = argument.type === "forbidden" && argument.reason === "starred"
      if (keywords.some((keyword) => !starred || keyword.name === null)) {
        throw new ConditionRefused(
          "syntax",
          "A positional argument follows a keyword argument. Write the keyword arguments last",
          token.start,
        )
      }
      if (atComprehension(reader)) {
        refuseStar(argument)
        args.push({
          type: "generator",
          start: open,
          element: argument,
          clauses: parseClauses(reader, grammar),
        })
        if (args.length > 1 || !reader.isAt(")")) {
          throw new ConditionRefused(
            "syntax",
            "A generator next to other arguments needs parentheses: sum((x for x in values), 1)",
            token.start,
          )
        }
      } else {
        args.push(argument)
      }
    }
    if (!reader.take(",")) break
  }
  reader.expect(")", 'Expected "," or ")"')
  return { args, keywords }
}

/**
 * Parses one argument of a call. Also parses arguments with a star, such as `*values`. They are not
 * supported, and a later check rejects them with a specific message.
 */
function starOrElement(reader: TokenReader, grammar: Grammar): SyntaxNode {
  const { start } = reader.current
  if (!reader.take("*")) return parseElement(reader, grammar)
  grammar.expression(reader)
  return { type: "forbidden", start, reason: "starred", what: '"*"' }
}

function index(reader: TokenReader, grammar: Grammar): SyntaxNode {
  const { start } = reader.current
  const first = slice(reader, grammar)
  if (!reader.isAt(","))
    return first.type === "forbidden" && first.reason === "starred"
      ? { type: "tuple", start, elements: [first] }
      : first
  const elements = [first]
  while (reader.take(",") && !reader.isAt("]")) elements.push(slice(reader, grammar))
  return { type: "tuple", start, elements }
}

function slice(reader: TokenReader, grammar: Grammar): SyntaxNode {
  const { start } = reader.current
  const part = (): SyntaxNode | null =>
    reader.isAt(":") || reader.isAt("]") || reader.isAt(",") ? null : grammar.expression(reader)
  let lower: SyntaxNode | null = null
  if (!reader.isAt(":")) {
    lower = parseElement(reader, grammar)
    if (!reader.isAt(":") || lower.type === "forbidden") return lower
  }
  reader.take(":")
  const upper = part()
  const step = reader.take(":") ? part() : null
  return { type: "slice", start, lower, upper, step }
}
