import type { Context } from "hono"
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import { AgentStatechartsError } from "../errors.js"

/** JSON body of an error response. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly diagnostics?: readonly Diagnostic[]
}

/** An error that a server sends to the client as an HTTP status with a JSON body. */
export class HttpError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 501 | 503
  readonly body: ErrorBody

  constructor(status: HttpError["status"], body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

const statuses: Readonly<Partial<Record<string, HttpError["status"]>>> = {
  run_unknown: 404,
  run_owned: 409,
  run_exists: 409,
  run_finished: 409,
  run_suspended: 409,
  policies_differ: 409,
  request_unknown: 409,
  request_expired: 409,
  user_active: 409,
  journal_failed: 503,
  drawing_package_missing: 501,
}

/** An error whose code and message may be sent to the client. */
export type ReportedError = HttpError | AgentStatechartsError

/** Returns whether an error may be sent to the client. All other errors are bugs of the server. */
export const isReportedError = (error: unknown): error is ReportedError =>
  error instanceof HttpError || error instanceof AgentStatechartsError

/**
 * Converts a rejection of a message to an error. The process that executes the run has rejected the
 * message, and has sent `code` and `message` to this process.
 */
export const refusedBy = ({ code, message }: ErrorBody): Error =>
  code === "internal" ? new Error(message) : new HttpError(statuses[code] ?? 400, { code, message })

/** Returns the code of an error, for example `run_unknown`. */
export const errorCodeOf = (error: ReportedError): string =>
  error instanceof HttpError ? error.body.code : error.code

/**
 * Converts an error to a JSON response. An error that is neither an {@link HttpError} nor an
 * {@link AgentStatechartsError} is a bug. It becomes a response with status 500 and without a stack
 * trace.
 */
export function respondWithError(error: Error, context: Context): Response {
  if (error instanceof HttpError) return context.json(error.body, error.status)
  if (error instanceof AgentStatechartsError)
    return context.json(
      { code: error.code, message: error.message } satisfies ErrorBody,
      statuses[error.code] ?? 400,
    )
  return context.json(
    {
      code: "internal",
      message: `the server failed unexpectedly: ${error.message}; please report this error`,
    } satisfies ErrorBody,
    500,
  )
}
