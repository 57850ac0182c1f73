import { useState } from "preact/hooks"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import type { RunPosition } from "../client/run-hash.js"

/** The commands that the user can send to a run. */
export interface RunCommands {
  /** Error message of the last `resume` or `cancel` command. Null if it succeeded. */
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
  /** Called after each command to load the status of the run again. */
  readonly refresh: () => void
  /** Called with the position at which the page should show the run. Null is the end of the run. */
  readonly onTravel: (position: RunPosition | null) => void
}

/** Hook that returns the commands that the user can send to a run. */
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
