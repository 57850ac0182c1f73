import type { ErrorCode } from "../../../errors.js"

export type HttpOutcome = HttpAnswer | HttpFailure

/** A successful HTTP response, with a status from 200 to 299. */
export interface HttpAnswer {
  readonly type: "answer"
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface HttpFailure {
  readonly type: "failure"
  /**
   * Error code of the failure. null if the server returned an error status, because the code then
   * depends on the kind of call.
   */
  readonly code: ErrorCode | null
  readonly reason: string
  readonly retryable: boolean
  /** Start of the response body. Secrets are not masked. */
  readonly body: string
  readonly status?: number
  readonly retryAfterMs?: number
  readonly cause?: unknown
}
