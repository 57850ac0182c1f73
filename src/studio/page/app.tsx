import { useCallback, useEffect, useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../api.js"
import { ask, messageOf } from "./client/ask-server.js"
import { FileView } from "./file/file-view.js"
import { RunView } from "./run/run-view.js"
import type { Shown } from "./location.js"
import { parseHash } from "./location.js"
import { Sidebar } from "./sidebar.js"

const runsEvery = 1_500

export function App() {
  const [shown, setShown] = useState<Shown>(() => parseHash(location.hash))
  const [files, setFiles] = useState<readonly StudioFile[]>([])
  const [runs, setRuns] = useState<readonly StudioRun[]>([])
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    const follow = (): void => setShown(parseHash(location.hash))
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])

  useEffect(() => {
    ask<readonly StudioFile[]>("/files").then(
      (found) => {
        setFiles(found)
        const [only] = found
        if (location.hash.length < 3 && only !== undefined)
          location.hash = `#/file/${encodeURIComponent(only.path)}`
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [])

  const loadRuns = useCallback(() => {
    ask<readonly StudioRun[]>("/runs").then(
      (found) => {
        setRuns(found)
        setError(null)
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [])

  useEffect(() => {
    loadRuns()
    const timer = setInterval(loadRuns, runsEvery)
    return () => clearInterval(timer)
  }, [loadRuns])

  return (
    <div class="studio">
      <header class="top">
        <h1>
          <a href="#/">agent-statecharts</a>
        </h1>
        <p role="status" class={error === null ? "calm" : "trouble"}>
          {error ?? waitingWords(runs.filter(({ pending }) => pending.length > 0).length)}
        </p>
      </header>
      <Sidebar files={files} runs={runs} shown={shown} />
      <main>
        {shown.kind === "file" && <FileView key={shown.path} path={shown.path} />}
        {shown.kind === "run" && <RunView key={shown.runId} runId={shown.runId} />}
        {shown.kind === "nothing" && (
          <p class="empty">
            {files.length === 0
              ? "There is no workflow in this folder. Start the studio in a folder that holds some: agent-statecharts studio FOLDER."
              : "Choose a workflow, or a run."}
          </p>
        )}
      </main>
    </div>
  )
}

const waitingWords = (count: number): string =>
  count === 0
    ? "No run waits for anybody."
    : count === 1
      ? "One run waits for somebody."
      : `${count} runs wait for somebody.`
