import type { ErrorCode } from "../../../errors.js"

export type HttpOutcome = HttpAnswer | HttpFailure

/** A successful HTTP response, with a status from 200 to 299. */
export interface HttpAnswer {
  readonly type: "answer"
  readonly status: number
  readonly contentType: string
  readonly headers: ResponseHeaders
  readonly text: string
}

/** The headers of an HTTP response, by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface HttpFailure {
  readonly type: "failure"
  /**
   * Error code of the failure. null if the server returned an error status. The caller then sets
   * the code, because it depends on the kind of call (model, tool or node).
   */
  readonly code: ErrorCode | null
  readonly reason: string
  readonly retryable: boolean
  /** Start of the response body, for error messages. Secrets in it are not masked. */
  readonly body: string
  readonly status?: number
  /** Headers of the response. Absent if there was no response. */
  readonly headers?: ResponseHeaders
  readonly retryAfterMs?: number
  readonly cause?: unknown
}
