import { type ErrorCode, errorCodes } from "../../errors.js"

const known: ReadonlySet<unknown> = new Set(errorCodes)

/**
 * Returns whether a value that an engine returned is an error code of this library, for example
 * `run_unknown`.
 */
export const isErrorCode = (code: unknown): code is ErrorCode => known.has(code)
