import { useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../api.js"
import type { Shown } from "./location.js"

interface SidebarProps {
  readonly files: readonly StudioFile[]
  readonly runs: readonly StudioRun[]
  readonly shown: Shown
}

/** As many runs as are listed before one asks for more. */
const firstRuns = 30

/** The workflows of the folder, and the runs of the journal. */
export function Sidebar({ files, runs, shown }: SidebarProps) {
  const [sought, setSought] = useState("")
  const [most, setMost] = useState(firstRuns)
  const fits = (text: string): boolean => text.toLowerCase().includes(sought.toLowerCase())
  const found = runs.filter(({ runId, chart, status }) => fits(`${runId} ${chart} ${status}`))
  return (
    <nav class="sidebar" aria-label="Workflows and runs">
      <input
        type="search"
        aria-label="Find workflows and runs"
        placeholder="Find"
        value={sought}
        onInput={({ currentTarget }) => setSought(currentTarget.value)}
      />
      <h2 id="workflows">Workflows</h2>
      <ul class="files" aria-labelledby="workflows" tabIndex={0}>
        {inFolders(files.filter(({ path }) => fits(path))).map(([folder, paths]) => (
          <li key={folder}>
            {folder !== "" && <span class="folder">{folder}/</span>}
            <ul>
              {paths.map((path) => (
                <li key={path}>
                  <a
                    href={`#/file/${encodeURIComponent(path)}`}
                    title={path}
                    aria-label={path}
                    aria-current={shown.kind === "file" && shown.path === path ? "page" : undefined}
                  >
                    {path.slice(folder === "" ? 0 : folder.length + 1)}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <h2 id="runs">Runs</h2>
      {found.length === 0 && <p class="calm">None yet.</p>}
      <ul class="runs" aria-labelledby="runs" tabIndex={0}>
        {found.slice(0, most).map((run) => (
          <li key={run.runId}>
            <a
              href={`#/run/${encodeURIComponent(run.runId)}`}
              aria-current={shown.kind === "run" && shown.runId === run.runId ? "page" : undefined}
            >
              <span class={`dot is-${run.status}`} aria-hidden="true" />
              <span class="run-chart">{run.chart}</span>
              <span class="run-facts">
                {run.status}
                {run.owner !== null && ", elsewhere"} ·{" "}
                {new Date(run.startedAt).toLocaleTimeString()} · {run.runId.slice(0, 8)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most * 4)}>
          {found.length - most} more
        </button>
      )}
    </nav>
  )
}

/** Files by the outermost folder that they lie in. */
function inFolders(
  files: readonly StudioFile[],
): readonly (readonly [folder: string, paths: readonly string[]])[] {
  const folders = new Map<string, string[]>()
  for (const { path } of files) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : ""
    const known = folders.get(folder)
    if (known === undefined) folders.set(folder, [path])
    else known.push(path)
  }
  return [...folders]
}
