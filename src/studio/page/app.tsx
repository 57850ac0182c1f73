import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../api.js"
import { fetchJson, messageOf } from "./client/fetch-json.js"
import { keepFocus } from "./client/keep-focus.js"
import { FileView } from "./file/file-view.js"
import { lazy } from "./parts/lazy.js"
import { RunView } from "./run/run-view.js"
import type { PageLocation } from "./location.js"
import { parseHash } from "./location.js"
import { Sidebar } from "./list/sidebar.js"
import { StartPage } from "./list/start-page.js"

const CompareView = lazy(async () => (await import("./compare/compare-view.js")).CompareView)

/** Milliseconds between two requests for the list of runs. */
const runListInterval = 1_500

/**
 * Component for the whole page of the studio, with the header, the sidebar, and the selected file
 * or run.
 */
export function App() {
  const [page, setPage] = useState<PageLocation>(() => parseHash(location.hash))
  const [files, setFiles] = useState<readonly StudioFile[] | null>(null)
  const [runs, setRuns] = useState<readonly StudioRun[]>([])
  const [error, setError] = useState<string | null>(null)
  /** Whether the sidebar is shown on a narrow screen. A wide screen always shows it. */
  const [isListOpen, setListOpen] = useState(false)
  const main = useRef<HTMLElement>(null)

  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), [])
  useEffect(() => {
    document.title = titleOf(page)
  }, [page])

  useEffect(() => {
    const onHashChange = (): void => {
      setPage(parseHash(location.hash))
      setListOpen(false)
    }
    addEventListener("hashchange", onHashChange)
    return () => removeEventListener("hashchange", onHashChange)
  }, [])

  useEffect(() => {
    fetchJson<readonly StudioFile[]>("/files").then(
      (listed) => {
        setFiles(listed)
        const [first, ...others] = listed
        if (location.hash.length < 3 && first !== undefined && others.length === 0)
          location.replace(`#/file/${encodeURIComponent(first.path)}`)
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
    <div class={isListOpen ? "studio is-list-open" : "studio"}>
      <header class="top">
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          Skip to the content
        </button>
        <button
          type="button"
          class="list-toggle"
          aria-expanded={isListOpen}
          aria-controls="sidebar"
          onClick={() => setListOpen(!isListOpen)}
        >
          List
        </button>
        <h1>
          <a href="#/">agent-statecharts</a>
        </h1>
        <p role="status" class={error === null ? "calm" : "trouble"}>
          {error ?? waitingRunsText(runs.filter(({ pending }) => pending.length > 0).length)}
        </p>
      </header>
      <Sidebar
        files={files ?? []}
        runs={runs}
        file={page.kind === "file" ? page.path : null}
        runId={page.kind === "run" ? page.runId : null}
      />
      <main ref={main} tabIndex={-1}>
        {page.kind === "file" && <FileView key={page.path} path={page.path} />}
        {page.kind === "run" && <RunView key={page.runId} runId={page.runId} />}
        {page.kind === "start" && files !== null && <StartPage files={files} />}
        {page.kind === "compare" && <CompareView a={page.a} b={page.b} runs={runs} />}
      </main>
    </div>
  )
}

/** Returns the title of the browser tab for a page. */
function titleOf(page: PageLocation): string {
  const name = "agent-statecharts studio"
  if (page.kind === "file") return `${page.path} – ${name}`
  if (page.kind === "run") return `Run ${page.runId} – ${name}`
  return page.kind === "compare" ? `Compare runs – ${name}` : name
}

const waitingRunsText = (count: number): string =>
  count === 0
    ? "No pending requests"
    : count === 1
      ? "1 run waits for an answer"
      : `${count} runs wait for an answer`
