import type { ErrorCode } from "../../../errors.js"
import { AgentStatechartsError } from "../../../errors.js"
import { TerminalError } from "./sdk.js"

/** The HTTP status of the response to a rejected request, by error code of this library. */
const statuses: Partial<Record<ErrorCode, number>> = {
  input_refused: 400,
  run_unknown: 404,
  request_unknown: 409,
  run_finished: 410,
  response_too_large: 413,
  chart_invalid: 422,
}

/**
 * Executes a Restate handler. If it rejects with an `AgentStatechartsError`, converts this error to
 * a terminal error, so that Restate does not retry the handler.
 */
export async function refusing<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    throw new TerminalError(error.message, {
      errorCode: statuses[error.code] ?? 500,
      metadata: { code: error.code },
    })
  }
}
