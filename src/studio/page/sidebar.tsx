import "./sidebar.css"
import { useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../api.js"
import type { PageLocation } from "./location.js"

interface SidebarProps {
  readonly files: readonly StudioFile[]
  readonly runs: readonly StudioRun[]
  readonly page: PageLocation
}

/** Number of runs in the list before the user asks for more. */
const firstRuns = 30

/** Lists the workflows of the folder and the runs of the journal, with a search field. */
export function Sidebar({ files, runs, page }: SidebarProps) {
  const [query, setQuery] = useState("")
  const [maxListed, setMaxListed] = useState(firstRuns)
  const matches = (text: string): boolean => text.toLowerCase().includes(query.toLowerCase())
  const matching = runs.filter(({ runId, chart, status }) => matches(`${runId} ${chart} ${status}`))
  return (
    <nav class="sidebar" aria-label="Workflows and runs">
      <input
        type="search"
        aria-label="Find workflows and runs"
        placeholder="Find"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <h2 id="workflows">Workflows</h2>
      <ul class="files" aria-labelledby="workflows" tabIndex={0}>
        {byFolder(files.filter(({ path }) => matches(path))).map(([folder, paths]) => (
          <li key={folder}>
            {folder !== "" && <span class="folder">{folder}/</span>}
            <ul>
              {paths.map((path) => (
                <li key={path}>
                  <a
                    href={`#/file/${encodeURIComponent(path)}`}
                    title={path}
                    aria-label={path}
                    aria-current={page.kind === "file" && page.path === path ? "page" : undefined}
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
      {matching.length === 0 && <p class="calm">No runs.</p>}
      <ul class="runs" aria-labelledby="runs" tabIndex={0}>
        {matching.slice(0, maxListed).map((run) => (
          <li key={run.runId}>
            <a
              href={`#/run/${encodeURIComponent(run.runId)}`}
              aria-current={page.kind === "run" && page.runId === run.runId ? "page" : undefined}
            >
              <span class={`dot is-${run.status}`} aria-hidden="true" />
              <span class="run-chart">{run.chart}</span>
              <span class="run-facts">
                {run.status}
                {run.owner !== null && ", in another process"} ·{" "}
                {new Date(run.startedAt).toLocaleTimeString()} · {run.runId.slice(0, 8)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {matching.length > maxListed && (
        <button type="button" onClick={() => setMaxListed(maxListed * 4)}>
          {matching.length - maxListed} more
        </button>
      )}
    </nav>
  )
}

/** Groups paths by their top-level folder. Files outside a folder have the folder `""`. */
function byFolder(
  files: readonly StudioFile[],
): readonly (readonly [folder: string, paths: readonly string[]])[] {
  const folders = new Map<string, string[]>()
  for (const { path } of files) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : ""
    const paths = folders.get(folder)
    if (paths === undefined) folders.set(folder, [path])
    else paths.push(path)
  }
  return [...folders]
}
