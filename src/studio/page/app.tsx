import { useCallback, useEffect, useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../api.js"
import { fetchJson, messageOf } from "./client/fetch-json.js"
import { FileView } from "./file/file-view.js"
import { RunView } from "./run/run-view.js"
import type { PageLocation } from "./location.js"
import { parseHash } from "./location.js"
import { Sidebar } from "./sidebar.js"

/** Milliseconds between two requests for the list of runs. */
const runListInterval = 1_500

/** The whole page: header, sidebar, and the selected file or run. */
export function App() {
  const [page, setPage] = useState<PageLocation>(() => parseHash(location.hash))
  const [files, setFiles] = useState<readonly StudioFile[]>([])
  const [runs, setRuns] = useState<readonly StudioRun[]>([])
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    const onHashChange = (): void => setPage(parseHash(location.hash))
    addEventListener("hashchange", onHashChange)
    return () => removeEventListener("hashchange", onHashChange)
  }, [])

  useEffect(() => {
    fetchJson<readonly StudioFile[]>("/files").then(
      (listed) => {
        setFiles(listed)
        const [first] = listed
        if (location.hash.length < 3 && first !== undefined)
          location.hash = `#/file/${encodeURIComponent(first.path)}`
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [])

  const loadRuns = useCallback(() => {
    fetchJson<readonly StudioRun[]>("/runs").then(
      (listed) => {
        setRuns(listed)
        setError(null)
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [])

  useEffect(() => {
    loadRuns()
    const timer = setInterval(loadRuns, runListInterval)
    return () => clearInterval(timer)
  }, [loadRuns])

  return (
    <div class="studio">
      <header class="top">
        <h1>
          <a href="#/">agent-statecharts</a>
        </h1>
        <p role="status" class={error === null ? "calm" : "trouble"}>
          {error ?? waitingRunsText(runs.filter(({ pending }) => pending.length > 0).length)}
        </p>
      </header>
      <Sidebar files={files} runs={runs} page={page} />
      <main>
        {page.kind === "file" && <FileView key={page.path} path={page.path} />}
        {page.kind === "run" && <RunView key={page.runId} runId={page.runId} />}
        {page.kind === "start" && (
          <p class="empty">
            {files.length === 0
              ? "This folder contains no workflow. Start the studio in a folder with workflows: agent-statecharts studio FOLDER."
              : "Select a workflow or a run."}
          </p>
        )}
      </main>
    </div>
  )
}

const waitingRunsText = (count: number): string =>
  count === 0
    ? "No run waits for an answer."
    : count === 1
      ? "1 run waits for an answer."
      : `${count} runs wait for an answer.`
