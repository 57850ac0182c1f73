import { CallFailedError } from "../../../../machines/contract/services.js"
import type { ReachedServer } from "./connect.js"
import type { Connection } from "./mcp-connection.js"
import { classifyFailure } from "./classify-failure.js"

export interface McpRequest {
  /** Words that describe this request in error messages, for example `"search" was called`. */
  readonly what: string
  /** Whether repeating the request is safe, because it has no additional effect on the server. */
  readonly mayRepeat: boolean
  readonly signal: AbortSignal
}

/** Maximum number of attempts to send one request to an MCP server. */
const maxAttempts = 4

/**
 * A function that sends a request to an MCP server over the shared connection, and repeats it if
 * necessary. `requestSender` creates it.
 */
export type SendRequest = <Answer>(
  request: McpRequest,
  send: (reached: ReachedServer) => Promise<Answer>,
) => Promise<Answer>

/**
 * Creates a function that sends requests to an MCP server over the shared connection. If the
 * connection is lost during a request, the request is repeated if the server has not received it or
 * if repeating it is safe.
 *
 * @throws CallFailedError `connection_lost` if the request cannot be repeated
 */
export function requestSender(connection: Connection, serverName: string): SendRequest {
  return async ({ what, mayRepeat, signal }, send) => {
    for (let attempt = 1; ; attempt++) {
      const reached = await connection.reached(signal)
      try {
        const answer = await send(reached)
        connection.answered()
        return answer
      } catch (error) {
        const kind = classifyFailure(error, reached)
        if (kind === "refused") throw error
        connection.lost(reached)
        if ((kind === "undelivered" || mayRepeat) && attempt < maxAttempts) continue
        throw new CallFailedError(
          {
            code: "connection_lost",
            message: `the connection to the MCP server ${serverName} was lost when ${what}: ${reasonOf(error)}. It is unknown whether the server completed the request`,
            retryable: true,
          },
          { cause: error },
        )
      }
    }
  }
}

/**
 * Returns the message of an error together with the message of its cause. Errors of `fetch` contain
 * the reason only in their cause.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
