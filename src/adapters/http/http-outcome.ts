import type { ErrorCode } from "../../errors.js"

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
  /** null for an HTTP status: what that is called depends on who was asked. */
  readonly code: ErrorCode | null
  readonly reason: string
  readonly retryable: boolean
  /** The start of the error's body, as it came: secrets included. */
  readonly body: string
  readonly status?: number
  readonly retryAfterMs?: number
  readonly cause?: unknown
}
