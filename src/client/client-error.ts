/**
 * The error of a failed request to a server. The `code` is one of the following.
 *
 * - an error code of the server, for example `run_unknown` or `unauthorized`
 * - `server_unreachable` if no connection could be made
 * - `invalid_response` if the response is not from an agent-statecharts server
 */
export class ClientError extends Error {
  override readonly name = "ClientError"
  readonly code: string
  /** HTTP status of the response. Null if there was no response. */
  readonly status: number | null

  constructor(
    code: string,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.status = options.status ?? null
  }
}

/**
 * HTTP statuses that a busy or restarting server, or a proxy in front of it, returns. The same
 * request can succeed later. All other error statuses, such as 500 and 501, are permanent.
 */
const temporaryStatuses = [408, 429, 502, 503, 504]

/**
 * Returns whether a request that failed with this error can succeed later, because the server was
 * unreachable, busy or restarting.
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ClientError &&
  (error.code === "server_unreachable" ||
    (error.status !== null && temporaryStatuses.includes(error.status)))
