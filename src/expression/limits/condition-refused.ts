import { AgentStatechartsError } from "../../errors.js"

/** Why a condition was refused before it ran; the groups of the table in `docs/conditions.md`. */
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
 * A condition that is not part of the language. Thrown by `compileCondition` only, so a refused condition has
 * never read any state.
 */
export class ConditionRefused extends AgentStatechartsError {
  override readonly name: string = "ConditionRefused"
  readonly reason: RefusalReason
  /** 1-based position in the source as it was given: `source.slice(column - 1)` starts at the trouble. */
  readonly column: number
  /** The Python error that comes closest, so that callers may treat both error classes alike. */
  readonly pyType: string

  constructor(reason: RefusalReason, message: string, offset: number) {
    super("condition_refused", `${message} (column ${offset + 1})`)
    this.reason = reason
    this.column = offset + 1
    this.pyType = reason === "unknown-name" ? "NameError" : "SyntaxError"
  }
}
