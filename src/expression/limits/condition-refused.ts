import { AgentStatechartsError } from "../../errors.js"

/** The reasons why the compiler rejects a condition. `docs/conditions.md` describes each reason. */
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
 * The error that `compileCondition` throws for a source that is not a valid condition. The
 * condition has not been evaluated.
 */
export class ConditionRefused extends AgentStatechartsError {
  override readonly name: string = "ConditionRefused"
  readonly reason: RefusalReason
  /**
   * Column of the problem in the source, counted from 1. `source.slice(column - 1)` starts with the
   * problem.
   */
  readonly column: number
  /**
   * Name of the corresponding Python error, `NameError` or `SyntaxError`. `ConditionFailed` has the
   * same field, so that callers can handle both errors in the same way.
   */
  readonly pyType: string

  constructor(reason: RefusalReason, message: string, offset: number) {
    super("condition_refused", `${message} (column ${offset + 1})`)
    this.reason = reason
    this.column = offset + 1
    this.pyType = reason === "unknown-name" ? "NameError" : "SyntaxError"
  }
}
