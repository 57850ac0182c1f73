import { CallFailedError } from "../../../machines/contract/services.js"
import type { ReachedServer } from "./connect.js"
import type { Connection } from "./mcp-connection.js"
import { classifyFailure } from "./classify-failure.js"

export interface McpRequest {
  /** For messages: what happened when it was asked. */
  readonly what: string
  /** Whether the server may be asked twice. */
  readonly mayRepeat: boolean
  readonly signal: AbortSignal
}

/** A question that is lost over and over is not asked more often. */
const mostTimes = 4

export type SendRequest = <Answer>(
  question: McpRequest,
  put: (reached: ReachedServer) => Promise<Answer>,
) => Promise<Answer>

/**
 * Asks over a connection. What the server cannot have had is asked again when it is back. What it may have had is, too, where that
 * does no harm; otherwise it fails, and whoever asked decides.
 *
 * @throws CallFailedError `connection_lost`.
 */
export function requestSender(connection: Connection, place: string): SendRequest {
  return async ({ what, mayRepeat, signal }, put) => {
    for (let times = 1; ; times++) {
      const reached = await connection.reached(signal)
      try {
        const answer = await put(reached)
        connection.answered()
        return answer
      } catch (error) {
        const kind = classifyFailure(error, reached)
        if (kind === "refused") throw error
        connection.lost(reached)
        if ((kind === "undelivered" || mayRepeat) && times < mostTimes) continue
        throw new CallFailedError(
          {
            code: "connection_lost",
            message: `the connection to the MCP server ${place} was lost when ${what}: ${reasonOf(error)}. It is unknown whether the server completed the request`,
            retryable: true,
          },
          { cause: error },
        )
      }
    }
  }
}

/** `fetch` says why only in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
