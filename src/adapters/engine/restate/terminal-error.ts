import type { ErrorCode } from "../../../errors.js"
import { AgentStatechartsError } from "../../../errors.js"
import { TerminalError } from "./sdk.js"

/** The status of HTTP that Restate answers with where the sender of a message is told that it was refused. */
const statuses: Partial<Record<ErrorCode, number>> = {
  input_refused: 400,
  run_unknown: 404,
  request_unknown: 409,
  run_finished: 410,
  response_too_large: 413,
  chart_invalid: 422,
}

/** Does what a handler is for; what it refuses is told to the caller, with its code, and is not tried again. */
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
