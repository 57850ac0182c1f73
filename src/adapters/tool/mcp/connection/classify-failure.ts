import { authorizationIn } from "./authorization.js"
import { causesOf } from "./causes-of.js"
import type { ReachedServer } from "./connect.js"
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "./sdk.js"
import { cutOff } from "./transports.js"

/**
 * Kind of failure of a request to an MCP server.
 * - `refused`: The server has rejected the request, or the caller has aborted it. The connection
 *   still works.
 * - `undelivered`: The server has not received the request.
 * - `broken`: The connection was lost, and the server may have executed the request.
 */
export type FailureKind = "refused" | "undelivered" | "broken"

/** Error codes of Node and undici for errors that occur before any data of a request is sent. */
const beforeSending = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]

/**
 * Returns the kind of failure of a request to an MCP server. The server has rejected the request,
 * never received it, or may have executed it.
 */
export function classifyFailure(
  error: unknown,
  { client, hasSession }: ReachedServer,
): FailureKind {
  if (error instanceof SdkHttpError) return classifyStatus(error.status, hasSession())
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.NotConnected) return "undelivered"
    return error.code === SdkErrorCode.ConnectionClosed ? "broken" : "refused"
  }
  if (error instanceof ProtocolError) return error.data === cutOff ? "broken" : "refused"
  // The package has no error type for a closed connection and returns errors of `fetch` unchanged.
  if (client.transport === undefined) return "undelivered"
  if (!(error instanceof TypeError)) return "refused"
  return codesOf(error).some((code) => beforeSending.includes(code)) ? "undelivered" : "broken"
}

/**
 * Returns the kind of failure of a request for an HTTP status. 404 means that the MCP session has
 * expired. Older servers send 400 for an expired session.
 */
function classifyStatus(status: number, hasSession: boolean): FailureKind {
  if (status === 404 || status === 503 || (status === 400 && hasSession)) return "undelivered"
  return status === 502 || status === 504 ? "broken" : "refused"
}

/**
 * Returns whether further attempts to connect to an MCP server are useless. This is the case if the
 * server was never reached, its response rejects the request, or its program is missing.
 */
export function isPermanent(problem: unknown, wasReached: boolean): boolean {
  if (!wasReached || authorizationIn(problem) !== null) return true
  const status = causesOf(problem).find((cause) => cause instanceof SdkHttpError)?.status
  if (status !== undefined)
    return status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  return codesOf(problem).some((code) => code === "ENOENT" || code === "EACCES")
}

const codesOf = (error: unknown): readonly string[] =>
  causesOf(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? [cause.code] : [],
  )

/** Returns whether an error means that the MCP server did not respond in time. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
