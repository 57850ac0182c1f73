import type { ReachedServer } from "./connect.js"
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "./sdk.js"
import { cutOff } from "./transports.js"

/**
 * What became of a request that failed. `refused`: the server, or whoever asked, has ended it, and the connection is as good as
 * before. `undelivered`: the server has not had it. `broken`: the connection broke, and nobody knows how far the server came.
 */
export type FailureKind = "refused" | "undelivered" | "broken"

/** Codes of Node's and undici's errors after which nothing was sent. */
const beforeSending = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]

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
  // The package has no type for a question on a connection that has ended, and leaves what `fetch` throws as it is.
  if (client.transport === undefined) return "undelivered"
  if (!(error instanceof TypeError)) return "refused"
  return codesOf(error).some((code) => beforeSending.includes(code)) ? "undelivered" : "broken"
}

/** 404, and 400 of older servers: the session is gone. */
function classifyStatus(status: number, hasSession: boolean): FailureKind {
  if (status === 404 || status === 503 || (status === 400 && hasSession)) return "undelivered"
  return status === 502 || status === 504 ? "broken" : "refused"
}

/** Whether another attempt to connect would come to the same: a wrong address or key, a program that is not there. */
export function isPermanent(problem: unknown, wasReached: boolean): boolean {
  if (!wasReached) return true
  const status = causesOf(problem).find((cause) => cause instanceof SdkHttpError)?.status
  if (status !== undefined)
    return status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  return codesOf(problem).some((code) => code === "ENOENT" || code === "EACCES")
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let at = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at)
  return causes
}

const codesOf = (error: unknown): readonly string[] =>
  causesOf(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? [cause.code] : [],
  )

/** Whether the server took longer than it may. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
