import "./history-panel.css"
import { useCallback, useEffect, useState } from "preact/hooks"
import { costText } from "../../../serving/cost-text.js"
import type { HistoryRun } from "../../api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { saveJson } from "../client/save-json.js"
import { durationText } from "../parts/duration.js"
import { timeText } from "../parts/time-text.js"
import { ErrorMessage } from "../parts/error-message.js"

interface HistoryPanelProps {
  readonly path: string
  /** Id of the chart (the compiled workflow). */
  readonly chart: string
}

/** Milliseconds between two updates of the list of runs. */
const interval = 3_000

/**
 * Component that lists the latest runs of a workflow, with buttons that repeat, download and delete
 * them.
 */
export function HistoryPanel({ path, chart }: HistoryPanelProps) {
  const [runs, setRuns] = useState<readonly HistoryRun[]>([])
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<string | null>(null)
  /** Id of the run whose delete button was clicked once. A second click deletes the run. */
  const [deleting, setDeleting] = useState<string | null>(null)

  const load = useCallback(() => {
    const query = new URLSearchParams({ file: path, chart })
    fetchJson<readonly HistoryRun[]>(`/history?${query.toString()}`).then(
      (listed) => {
        setRuns(listed)
        setError(null)
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [path, chart])
  useEffect(() => {
    load()
    if (!isOpen) return
    const timer = setInterval(load, interval)
    return () => clearInterval(timer)
  }, [load, isOpen])

  const act = async (action: () => Promise<unknown>): Promise<void> => {
    try {
      await action()
      load()
    } catch (cause) {
      setError(messageOf(cause))
    }
  }
  const repeat = (runId: string) =>
    act(async () => {
      const started = await fetchJson<{ readonly runId: string }>(`${pathOf(runId)}/rerun`, {
        method: "POST",
      })
      location.hash = `#/run/${encodeURIComponent(started.runId)}`
    })
  const download = (runId: string) =>
    act(async () => saveJson(`${runId}.run.json`, await fetchJson(`${pathOf(runId)}/stored`)))
  const remove = (runId: string) =>
    act(async () => {
      setDeleting(null)
      await fetchJson(pathOf(runId), { method: "DELETE" })
    })

  return (
    <details class="history" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        History <small>{runs.length === 1 ? "1 run" : `${runs.length} runs`}</small>
      </summary>
      <ErrorMessage text={error} />
      {runs.length > 0 && (
        <div class="history-rows" tabIndex={0} role="group" aria-label="Runs of this workflow">
          <table>
            <thead>
              <tr>
                {["Started", "Status", "Duration", "Tokens", "Cost"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.runId}>
                  <th scope="row">
                    <a href={`#/run/${encodeURIComponent(run.runId)}`} title={run.runId}>
                      {timeText(run.startedAt)}
                    </a>
                  </th>
                  <td>
                    <span class={`dot is-${run.status}`} aria-hidden="true" /> {run.status}
                  </td>
                  <td>{durationText(run.durationMs)}</td>
                  <td>{run.tokens === null ? "unknown" : run.tokens.toLocaleString()}</td>
                  <td title={run.cost === null ? "No price is known." : undefined}>
                    {run.cost === null ? "–" : costText(run.cost)}
                  </td>
                  <td class="history-actions">
                    <button type="button" onClick={() => void repeat(run.runId)}>
                      Rerun
                    </button>
                    <button type="button" onClick={() => void download(run.runId)}>
                      Download
                    </button>
                    <button
                      type="button"
                      class={deleting === run.runId ? "is-dangerous" : ""}
                      disabled={isActive(run)}
                      title={isActive(run) ? "Cancel the run before you delete it." : undefined}
                      onClick={() =>
                        deleting === run.runId ? void remove(run.runId) : setDeleting(run.runId)
                      }
                    >
                      {deleting === run.runId ? "Confirm" : "Delete"}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

/** Returns whether a process is executing the run, or will continue it after an answer. */
const isActive = ({ isHere, owner, status }: HistoryRun): boolean =>
  owner !== null || (isHere && (status === "running" || status === "waiting"))

const pathOf = (runId: string): string => `/runs/${encodeURIComponent(runId)}`
