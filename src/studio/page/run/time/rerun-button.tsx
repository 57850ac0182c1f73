import { useState } from "preact/hooks"
import type { StoredRerun } from "../../../compare-api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { compareHash } from "../../client/run-hash.js"
import { ErrorMessage } from "../../parts/error-message.js"

interface RerunButtonProps {
  readonly runId: string
  /** Path of the workflow file from which the run was started. */
  readonly file: string
}

/**
 * Button that executes the run again with the current workflow file and then compares both runs.
 * Recorded responses are reused up to the first call that differs.
 */
export function RerunButton({ runId, file }: RerunButtonProps) {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const rerun = async (): Promise<void> => {
    setRunning(true)
    setError(null)
    try {
      const { runId: rerunId } = await fetchJson<StoredRerun>(
        `/runs/${encodeURIComponent(runId)}/counterfactual`,
        { method: "POST", body: {} },
      )
      location.hash = compareHash(runId, rerunId)
    } catch (cause) {
      setError(messageOf(cause))
      setRunning(false)
    }
  }
  return (
    <>
      <button
        type="button"
        disabled={isRunning}
        title={`Executes this run with ${file} as it is now. Recorded responses are reused up to the first difference.`}
        onClick={() => void rerun()}
      >
        {isRunning ? "Running…" : "Run with the changed file"}
      </button>
      <ErrorMessage text={error} />
    </>
  )
}
