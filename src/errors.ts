/**
 * The one error type that crosses the public door. `code` is stable and documented in `docs/errors.md`;
 * `cause` holds what lay beneath it.
 *
 * Bad configs are not errors but diagnostics (see `compile`); this class is for promises that were broken
 * and for inputs that are refused, which then change nothing.
 */
export class AgentStatechartsError extends Error {
  override readonly name: string = "AgentStatechartsError"
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Every code that an {@link AgentStatechartsError} may carry. Each has a paragraph in `docs/errors.md`. */
export const errorCodes = ["condition_refused", "condition_failed"] as const

export type ErrorCode = (typeof errorCodes)[number]
