import { AgentStatechartsError } from "../../errors.js"

/** The Python exceptions that a condition can end with, and the two of this language: what is left out, what is too much. */
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

/** A condition that raised while it ran, with Python's own type and words: `KeyError: 'quality'`. */
export class ConditionFailed extends AgentStatechartsError {
  override readonly name: string = "ConditionFailed"
  readonly pyType: PythonErrorType
  /** True when a bound of {@link limits} was reached: never to be taken for "the condition does not hold". */
  readonly limit: boolean
  /** How to fix the condition, where the failure shows it; null otherwise. */
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
