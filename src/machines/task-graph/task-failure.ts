import type { NodeResponse } from "../contract/graphs/node-service.js"
import type { CallFailure } from "../contract/services.js"
import type { ErrorCode } from "../../errors.js"
import type { TaskErrorType, TaskResult } from "./task-contract.js"

/**
 * The type of a node's error for each error code of a failed call. For other codes, the type is
 * `http_error`.
 */
const types: Partial<Readonly<Record<ErrorCode, TaskErrorType>>> = {
  service_timeout: "timeout",
  service_unreachable: "network_error",
  connection_lost: "network_error",
  secret_missing: "secret_missing",
  template_failed: "template_failed",
  template_refused: "template_failed",
  host_refused: "template_failed",
  header_refused: "template_failed",
  condition_failed: "condition_failed",
  service_answer_malformed: "malformed",
  response_too_large: "malformed",
}

export const errorTypeOf = ({ code }: CallFailure): TaskErrorType => types[code] ?? "http_error"

/**
 * Returns the result of a node whose call failed. After a network error or a timeout, its status
 * code is 500.
 */
export function failedResult(failure: CallFailure, response: NodeResponse | undefined): TaskResult {
  const type = errorTypeOf(failure)
  const wasSent = type === "network_error" || type === "timeout"
  const statusCode = failure.status ?? (wasSent ? 500 : undefined)
  return {
    data: null,
    ...(statusCode !== undefined && { statusCode }),
    headers: {},
    ...response,
    error: { message: failure.message, type },
  }
}

/**
 * Returns the result of a node that failed without a failed call, for example because its input is
 * invalid.
 */
export const resultOfFailure = (
  type: TaskErrorType,
  message: string,
  rest: Partial<TaskResult> = {},
): TaskResult => ({ data: null, headers: {}, ...rest, error: { message, type } })
