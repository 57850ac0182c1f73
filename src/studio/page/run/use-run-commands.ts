import { useState } from "preact/hooks"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import type { RunPosition } from "../client/run-hash.js"

/** The commands that a user can send to a run. */
export interface RunCommands {
  /** The error message of the last `resume` or `cancel`; null if there was no error. */
  readonly error: string | null
  resume(): Promise<void>
  cancel(): Promise<void>
  /**
   * Sends an answer to a pending request. Resolves to null if the server accepts the answer,
   * otherwise to an error message for the user.
   */
  answer(message: object): Promise<string | null>
}

interface RunCommandOptions {
  /** Reloads the run after a command. */
  readonly refresh: () => void
  /** Shows the run at a position. null shows its end. */
  readonly onTravel: (position: RunPosition | null) => void
}

/** Returns the commands of the run view. */
export function useRunCommands(
  runId: string,
  { refresh, onTravel }: RunCommandOptions,
): RunCommands {
  const [error, setError] = useState<string | null>(null)
  const path = `/runs/${encodeURIComponent(runId)}`
  const attempt = async (command: () => Promise<void>): Promise<void> => {
    try {
      await command()
      setError(null)
    } catch (cause) {
      setError(messageOf(cause))
    }
  }
  const post = (subpath: string, body: object): Promise<void> =>
    attempt(async () => {
      await fetchJson(`${path}${subpath}`, { method: "POST", body })
      onTravel(null)
    }).finally(refresh)
  return {
    error,
    resume: () => post("/resume", {}),
    cancel: () => post("/messages", { type: "cancel" }),
    async answer(message) {
      try {
        await fetchJson(`${path}/messages`, { method: "POST", body: message })
        setError(null)
        return null
      } catch (cause) {
        return messageOf(cause)
      } finally {
        refresh()
      }
    },
  }
}
