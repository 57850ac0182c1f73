import type { RunWithChart } from "../../../api.js"
import { useNow } from "../../parts/use-now.js"
import type { RunFolds } from "../folds/run-folds.js"
import { RunFacts } from "./run-facts.js"
import "./run-header.css"
import { RunLink } from "./run-links.js"

interface RunHeaderProps {
  readonly info: RunWithChart
  readonly folds: RunFolds
  readonly isConnected: boolean
  readonly onResume: () => void
  readonly onCancel: () => void
}

/** Returns whether a run can emit further events, because it is running, waiting or interrupted. */
export const isOpenRun = ({ status }: RunWithChart): boolean =>
  status === "running" || status === "waiting" || status === "interrupted"

/**
 * Component that shows the name, status, origin and usage of a run, with buttons that resume or
 * cancel it.
 */
export function RunHeader({ info, folds, isConnected, onResume, onCancel }: RunHeaderProps) {
  const { runId, status, owner, file, forkedFrom, caller, startedAt } = info
  const isMoving = status === "running" || status === "waiting"
  const now = useNow(isMoving)
  const { start: firstEventAt, end: lastEventAt } = folds.lanes.range ?? {
    start: startedAt,
    end: startedAt,
  }
  return (
    <header class="run-bar">
      <h2>
        <span class={`dot is-${status}`} aria-hidden="true" />
        {info.chart}
      </h2>
      <p role="status" class="run-status">
        <strong class={`status is-${status}`}>{status}</strong>
        {owner !== null && ` executed by ${owner}`}
        {info.isHere && !isConnected && " connecting…"}
      </p>
      {folds.end > 0 && (
        <RunFacts
          // The events of a fork in the past, and of a run with recorded responses, are before its start.
          startedAt={lastEventAt < startedAt && !isMoving ? firstEventAt : startedAt}
          endedAt={isMoving ? Math.max(now, lastEventAt) : lastEventAt}
          usage={folds.usage.total}
          pending={info.pending.length}
        />
      )}
      <div class="actions">
        {status === "interrupted" && (
          <button type="button" class="main" onClick={onResume}>
            Resume
          </button>
        )}
        {isOpenRun(info) && owner === null && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {file !== null && <a href={`#/file/${encodeURIComponent(file)}`}>Edit</a>}
      </div>
      <p class="run-origin">
        {runId}
        {forkedFrom !== null && (
          <RunLink runId={forkedFrom.runId}>
            forked from {forkedFrom.runId.slice(0, 8)} at record {forkedFrom.at}
          </RunLink>
        )}
        {caller !== null && <RunLink runId={caller.runId}>called by {caller.runId}</RunLink>}
        {[...folds.childRuns].map((child) => (
          <RunLink key={child} runId={child}>
            calls {child}
          </RunLink>
        ))}
      </p>
    </header>
  )
}
