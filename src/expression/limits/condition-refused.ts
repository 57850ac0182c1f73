import { AgentStatechartsError } from "../../errors.js"

/**
 * The reason for refusing a condition at compile time. `docs/conditions.md` describes each of them.
 */
export type RefusalReason =
  | "arity"
  | "assignment"
  | "attribute"
  | "await"
  | "bare-builtin"
  | "call"
  | "dunder"
  | "format"
  | "generator-value"
  | "identity"
  | "isinstance"
  | "iterator-value"
  | "keyfn"
  | "keyword"
  | "lambda"
  | "limit"
  | "literal"
  | "method"
  | "mutation"
  | "next"
  | "operator"
  | "resource"
  | "shadow"
  | "starred"
  | "syntax"
  | "target"
  | "unhashable"
  | "unknown-name"
  | "yield"

/**
 * Thrown by `compileCondition` for a condition that is not part of the language. The condition has
 * not read any state.
 */
export class ConditionRefused extends AgentStatechartsError {
  override readonly name: string = "ConditionRefused"
  readonly reason: RefusalReason
  /** 1-based column in the source. `source.slice(column - 1)` starts at the problem. */
  readonly column: number
  /**
   * The closest Python error type, so that callers can handle both error classes in the same way.
   */
  readonly pyType: string

  constructor(reason: RefusalReason, message: string, offset: number) {
    super("condition_refused", `${message} (column ${offset + 1})`)
    this.reason = reason
    this.column = offset + 1
    this.pyType = reason === "unknown-name" ? "NameError" : "SyntaxError"
  }
}
