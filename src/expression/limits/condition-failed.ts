import { AgentStatechartsError } from "../../errors.js"

/**
 * The Python exceptions that the evaluation of a condition can raise, and two types that Python
 * does not have: `UnsupportedError` and `LimitError`.
 */
export type PythonErrorType =
  | "AttributeError"
  | "IndexError"
  | "KeyError"
  | "OverflowError"
  | "RuntimeError"
  | "StopIteration"
  | "TypeError"
  | "UnboundLocalError"
  | "ValueError"
  | "ZeroDivisionError"
  | "LimitError"
  | "RecursionError"
  | "UnsupportedError"

/**
 * The error for a condition whose evaluation fails. The message is the same as in Python, such as
 * `KeyError: 'quality'`.
 */
export class ConditionFailed extends AgentStatechartsError {
  override readonly name: string = "ConditionFailed"
  readonly pyType: PythonErrorType
  /**
   * Whether the evaluation exceeded one of the {@link limits}. If true, do not treat the condition
   * as false.
   */
  readonly limit: boolean
  /** A suggested fix for the condition, or null if there is none. */
  hint: string | null = null

  constructor(pyType: PythonErrorType, message: string, options?: { readonly cause?: unknown }) {
    super("condition_failed", message === "" ? pyType : `${pyType}: ${message}`, options)
    this.pyType = pyType
    this.limit = pyType === "LimitError" || pyType === "RecursionError"
  }
}

export function raise(pyType: PythonErrorType, message: string): never {
  throw new ConditionFailed(pyType, message)
}
