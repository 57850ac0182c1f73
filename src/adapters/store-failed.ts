import type { ErrorCode } from "../errors.js"
import { AgentStatechartsError, wordsOf } from "../errors.js"

/**
 * Converts an error of a database to an `AgentStatechartsError` with this code. `store` describes the
 * store, such as `the session store sessions.db`.
 */
export const storeFailed = (
  code: ErrorCode,
  store: string,
  cause: unknown,
): AgentStatechartsError =>
  cause instanceof AgentStatechartsError
    ? cause
    : new AgentStatechartsError(code, `${store} failed: ${wordsOf(cause)}`, { cause })
