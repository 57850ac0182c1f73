import type { ErrorCode } from "../../../errors.js"

export type HttpOutcome = HttpAnswer | HttpFailure

/** An answer with a status of 200 to 299. */
export interface HttpAnswer {
  readonly type: "answer"
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface HttpFailure {
  readonly type: "failure"
  /** null for an HTTP status, because its error code depends on the kind of call. */
  readonly code: ErrorCode | null
  readonly reason: string
  readonly retryable: boolean
  /** The start of the response body, with secrets not yet masked. */
  readonly body: string
  readonly status?: number
  readonly retryAfterMs?: number
  readonly cause?: unknown
}
