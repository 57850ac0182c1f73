import { notPublic } from "./host-rule.js"
import type { HttpFailure } from "./http-outcome.js"

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused; is the service running, and is the port correct?",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed before the response was complete",
  UND_ERR_ABORTED: "the connection was closed before the response was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response was shorter than its content-length",
  ENOTFOUND: "the host name could not be resolved; check the URL",
  EAI_AGAIN: "the host name could not be resolved temporarily",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the connection was not established in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection was not established in time",
}

const malformed: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: "the response has too many headers",
}

const ours = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "ERR_INVALID_ARG_TYPE",
  "ERR_INVALID_URL",
])
const closed = new Set(["UND_ERR_DESTROYED", "UND_ERR_CLOSED"])

/**
 * Converts an error of a socket, the TLS layer or the HTTP parser to the failure of an HTTP call.
 */
export function connectionFailure(error: unknown): HttpFailure {
  const code = codeOf(error)
  const detail = code === "" ? messageOf(error) : code
  const failed = (failure: Pick<HttpFailure, "code" | "reason" | "retryable">): HttpFailure => ({
    type: "failure",
    body: "",
    ...failure,
    cause: error,
  })
  if (code === "ADDRESS_NOT_PUBLIC")
    return failed({
      code: "host_refused",
      reason: `failed: the request was not sent, because the host ${notPublic}`,
      retryable: false,
    })
  if (closed.has(code))
    return failed({
      code: "service_unreachable",
      reason: "the HTTP client is closed; create a new HTTP client",
      retryable: false,
    })
  if (ours.has(code))
    return failed({
      code: "internal",
      reason: `failed: the request could not be made (${detail})`,
      retryable: false,
    })
  if (/^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code) || code in malformed) {
    return failed({
      code: "service_answer_malformed",
      reason: malformed[code] ?? `the response cannot be read (${code})`,
      retryable: true,
    })
  }
  const tls = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)
    ? "the TLS connection failed; check the certificate, or use http:// if the service has no TLS"
    : undefined
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : (tls ?? "the connection failed")
  return failed({ code: "service_unreachable", reason: `${reason} (${detail})`, retryable: true })
}

/**
 * Returns the code of an error, for example `ECONNREFUSED`, or an empty string. Searches nested
 * errors too. Node combines the errors of several connection attempts in an `AggregateError`, and
 * undici stores the original error in `cause`.
 */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return ""
  const { name, code, errors, cause } = error as {
    readonly name?: unknown
    readonly code?: unknown
    readonly errors?: readonly unknown[]
    readonly cause?: unknown
  }
  if (typeof code === "string" && code !== "") return code
  // The errors of undici's HTTP parser do not always have a code.
  if (name === "HTTPParserError") return "HPE_INVALID"
  return codeOf(errors?.[0] ?? cause)
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
