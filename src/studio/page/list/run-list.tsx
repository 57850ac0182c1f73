import { useState } from "preact/hooks"
import type { StudioRun } from "../../api.js"
import { timeText } from "../parts/time-text.js"

interface RunListProps {
  readonly runs: readonly StudioRun[]
  /** Whether `runs` contains only the runs that match the search text. */
  readonly isFiltered: boolean
  /** Id of the run that the page shows. Null if the page shows another view. */
  readonly selected: string | null
}

/** Number of runs in the list until the user clicks to show more. */
const firstRuns = 30

/** Component that lists runs with their status and start time, newest first. */
export function RunList({ runs, isFiltered, selected }: RunListProps) {
  const [maxListed, setMaxListed] = useState(firstRuns)
  if (runs.length === 0) return <p class="calm">{isFiltered ? "No run matches." : "No runs."}</p>
  return (
    <>
      <ul class="runs" aria-labelledby="runs" tabIndex={0}>
        {runs.slice(0, maxListed).map((run) => (
          <li key={run.runId}>
            <a
              href={`#/run/${encodeURIComponent(run.runId)}`}
              title={run.runId}
              aria-current={selected === run.runId ? "page" : undefined}
            >
              <span class="run-name">
                <span class={`dot is-${run.status}`} aria-hidden="true" />
                {run.chart}
              </span>
              <span class="run-facts">
                {run.status}
                {run.owner !== null && ", in another process"} · {timeText(run.startedAt)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {runs.length > maxListed && (
        <button type="button" onClick={() => setMaxListed(maxListed * 4)}>
          {runs.length - maxListed} more
        </button>
      )}
    </>
  )
}
