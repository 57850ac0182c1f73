import { AgentStatechartsError } from "../../errors.js"

/**
 * The reasons for refusing a condition at compile time. `docs/conditions.md` describes each reason.
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
 * An error that `compileCondition` throws if the language does not support the source. The
 * condition has not been evaluated.
 */
export class ConditionRefused extends AgentStatechartsError {
  override readonly name: string = "ConditionRefused"
  readonly reason: RefusalReason
  /** Column in the source, counted from 1. `source.slice(column - 1)` starts with the problem. */
  readonly column: number
  /**
   * Name of the corresponding Python error type. `ConditionFailed` has the same field, so callers
   * can handle both errors in the same way.
   */
  readonly pyType: string

  constructor(reason: RefusalReason, message: string, offset: number) {
    super("condition_refused", `${message} (column ${offset + 1})`)
    this.reason = reason
    this.column = offset + 1
    this.pyType = reason === "unknown-name" ? "NameError" : "SyntaxError"
  }
}
