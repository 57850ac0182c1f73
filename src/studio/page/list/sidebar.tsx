import "./sidebar.css"
import { useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../../api.js"
import type { PageLocation } from "../location.js"
import { RunList } from "./run-list.js"
import { WorkflowList } from "./workflow-list.js"

interface SidebarProps {
  readonly files: readonly StudioFile[]
  readonly runs: readonly StudioRun[]
  readonly page: PageLocation
}

/** Lists the workflows of the folder and the runs of the journal, with a search field. */
export function Sidebar({ files, runs, page }: SidebarProps) {
  const [query, setQuery] = useState("")
  const matches = (...texts: readonly (string | null)[]): boolean =>
    texts.join(" ").toLowerCase().includes(query.toLowerCase())
  return (
    <nav id="sidebar" class="sidebar" aria-label="Workflows and runs">
      <input
        type="search"
        aria-label="Find workflows and runs"
        placeholder="Find workflows and runs"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <h2 id="workflows">Workflows</h2>
      <WorkflowList
        files={files.filter((file) => matches(file.path, file.name, file.description))}
        selected={page.kind === "file" ? page.path : null}
      />
      <h2 id="runs">Runs</h2>
      <RunList
        runs={runs.filter(({ runId, chart, status }) => matches(runId, chart, status))}
        selected={page.kind === "run" ? page.runId : null}
      />
    </nav>
  )
}
