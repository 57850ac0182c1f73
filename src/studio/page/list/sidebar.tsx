import "./sidebar.css"
import { useMemo, useState } from "preact/hooks"
import type { StudioFile, StudioRun } from "../../api.js"
import { RunList } from "./run-list.js"
import { WorkflowList } from "./workflow-list.js"
import { SearchInput } from "../parts/search-input.js"

interface SidebarProps {
  readonly files: readonly StudioFile[]
  readonly runs: readonly StudioRun[]
  /** Path of the workflow file that the page shows. Null if the page shows another view. */
  readonly file: string | null
  /** Id of the run that the page shows. Null if the page shows another view. */
  readonly runId: string | null
}

/**
 * Component that lists the workflows in the workspace and the runs in the journal, with a search
 * field.
 */
export function Sidebar({ files, runs, file, runId }: SidebarProps) {
  const [query, setQuery] = useState("")
  const matches = (...texts: readonly (string | null)[]): boolean =>
    texts.join(" ").toLowerCase().includes(query.toLowerCase())
  /**
   * Paths of all workflows with the same name, joined to one text, by workflow name. With these
   * paths, the search also finds runs by the path of their workflow.
   */
  const paths = useMemo(() => {
    const found = new Map<string, string>()
    for (const { name, path } of files) found.set(name, `${found.get(name) ?? ""} ${path}`)
    return found
  }, [files])
  return (
    <nav id="sidebar" class="sidebar" aria-label="Workflows and runs">
      <SearchInput label="Find workflows and runs" value={query} onChange={setQuery} />
      <h2 id="workflows">Workflows</h2>
      <WorkflowList
        files={files.filter(({ path, name, description }) => matches(path, name, description))}
        selected={file}
      />
      <h2 id="runs">Runs</h2>
      <RunList
        runs={runs.filter((run) =>
          matches(run.runId, run.chart, run.status, paths.get(run.chart) ?? null),
        )}
        isFiltered={query !== ""}
        selected={runId}
      />
    </nav>
  )
}
