import type { ErrorCode } from "../errors.js"
import { AgentStatechartsError, thrownMessage } from "../errors.js"

/**
 * Converts a database error to an `AgentStatechartsError` with the error code `code`. The message
 * starts with `store`, a description of the store such as `the session store sessions.db`. An
 * `AgentStatechartsError` is returned unchanged.
 */
export const storeFailed = (
  code: ErrorCode,
  store: string,
  cause: unknown,
): AgentStatechartsError =>
  cause instanceof AgentStatechartsError
    ? cause
    : new AgentStatechartsError(code, `${store} failed: ${thrownMessage(cause)}`, { cause })
