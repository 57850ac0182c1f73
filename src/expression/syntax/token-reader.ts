import { ConditionRefused } from "../limits/condition-refused.js"
import { tokenHint } from "./token-hints.js"
import { limits } from "../limits/limits.js"
import { tokenize, type SyntaxToken } from "./tokenize.js"

/**
 * Reads the tokens of a source from left to right, and creates the error messages for unexpected
 * tokens.
 */
export class TokenReader {
  readonly source: string
  private readonly tokens: readonly SyntaxToken[]
  private index = 0
  private depth = 0

  constructor(source: string, from: number, to: number, enclosed: boolean) {
    this.source = source
    this.tokens = tokenize(source, from, to, enclosed)
  }

  get current(): SyntaxToken {
    return this.tokens[this.index]!
  }

  get following(): SyntaxToken {
    return this.tokens[Math.min(this.index + 1, this.tokens.length - 1)]!
  }

  advance(): SyntaxToken {
    const token = this.tokens[this.index]!
    if (token.type !== "end") this.index++
    return token
  }

  /** Returns whether the current token is this operator or keyword. */
  isAt(text: string): boolean {
    const token = this.tokens[this.index]!
    return token.text === text && (token.type === "operator" || token.type === "keyword")
  }

  /**
   * Moves to the next token if the current token is this operator or keyword. Returns true if it
   * moved.
   */
  take(text: string): boolean {
    if (!this.isAt(text)) return false
    this.index++
    return true
  }

  expect(text: string, instead: string): void {
    if (!this.take(text)) this.fail(instead)
  }

  fail(message: string): never {
    const token = this.current
    throw new ConditionRefused(
      "syntax",
      message + tokenHint(this.source, token, this.tokens[this.index - 1]),
      token.start,
    )
  }

  /**
   * Enters one level of recursion of the parser. Throws if there are more than four times
   * `limits.depth` levels, to prevent a stack overflow. The exact limit is checked later, in the
   * syntax tree.
   */
  enter(): void {
    if (++this.depth > 4 * limits.depth) {
      throw new ConditionRefused(
        "limit",
        `Nested more than ${limits.depth} levels deep. Split the condition`,
        this.current.start,
      )
    }
  }

  leave(): void {
    this.depth--
  }
}
