import { CallFailedError } from "../../../machines/contract/services.js"
import type { Reached } from "./connect.js"
import type { Connection } from "./mcp-connection.js"
import { fateOf } from "./what-became.js"

export interface Question {
  /** For messages: what happened when it was asked. */
  readonly what: string
  /** Whether the server may be asked twice. */
  readonly mayRepeat: boolean
  readonly signal: AbortSignal
}

/** A question that is lost over and over is not asked more often. */
const mostTimes = 4

export type Ask = <Answer>(
  question: Question,
  put: (reached: Reached) => Promise<Answer>,
) => Promise<Answer>

/**
 * Asks over a connection. What the server cannot have had is asked again when it is back. What it may have had is, too, where that
 * does no harm; otherwise it fails, and whoever asked decides.
 *
 * @throws CallFailedError `connection_lost`.
 */
export function asking(connection: Connection, place: string): Ask {
  return async ({ what, mayRepeat, signal }, put) => {
    for (let times = 1; ; times++) {
      const reached = await connection.reached(signal)
      try {
        const answer = await put(reached)
        connection.answered()
        return answer
      } catch (error) {
        const fate = fateOf(error, reached)
        if (fate === "refused") throw error
        connection.lost(reached)
        if ((fate === "undelivered" || mayRepeat) && times < mostTimes) continue
        throw new CallFailedError(
          {
            code: "connection_lost",
            message: `the connection to the MCP server ${place} was lost when ${what}: ${reasonOf(error)}. Nobody knows whether it did what it was asked`,
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
