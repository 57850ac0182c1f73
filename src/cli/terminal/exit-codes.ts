import type { RunStatus } from "../../machines/contract/run-event.js"

/** Exit codes of the command-line program. They have the same meaning for every command. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  invalid: 2,
  waiting: 3,
  limit: 4,
  unknown: 5,
  cancelled: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Returns the exit code of the program for the status of a run. */
export function exitCodeOf(status: RunStatus): ExitCode {
  switch (status) {
    case "completed":
      return exitCodes.ok
    case "failed":
      return exitCodes.failed
    case "running":
    case "waiting":
      return exitCodes.waiting
    case "limit":
      return exitCodes.limit
    case "cancelled":
      return exitCodes.cancelled
  }
}
