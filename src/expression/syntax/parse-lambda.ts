import type { SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

/**
 * Parses a lambda. Lambdas are not supported, but they are parsed so that they are rejected later
 * with a specific message.
 */
export function parseLambda(
  reader: TokenReader,
  expression: (reader: TokenReader) => SyntaxNode,
): SyntaxNode {
  const { start } = reader.advance()
  while (!reader.isAt(":")) {
    if (reader.take("/")) {
      // This is the `/` after positional-only parameters.
    } else {
      const starred = reader.take("*") || reader.take("**")
      if (reader.current.type === "name") {
        reader.advance()
        if (reader.take("=")) expression(reader)
      } else if (!starred) {
        reader.fail("Expected a parameter of the lambda")
      }
    }
    if (!reader.take(",")) break
  }
  reader.expect(":", 'Expected ":" after "lambda"')
  reader.enter()
  expression(reader)
  reader.leave()
  return { type: "forbidden", start, reason: "lambda", what: "lambda" }
}
