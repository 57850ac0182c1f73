import { AgentStatechartsError } from "../../errors.js"

/**
 * The Python exceptions that an evaluation can raise, and two types that are specific to this
 * language: `UnsupportedError` and `LimitError`.
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
 * An error that is thrown when the evaluation of a condition fails. The message is Python's, such
 * as `KeyError: 'quality'`.
 */
export class ConditionFailed extends AgentStatechartsError {
  override readonly name: string = "ConditionFailed"
  readonly pyType: PythonErrorType
  /** Whether one of the {@link limits} was exceeded. If so, do not treat the condition as false. */
  readonly limit: boolean
  /** A suggestion for fixing the condition, or null if there is none. */
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
