import type { RunEvent, RunWithChart } from "../../../api.js"
import "./run-header.css"
import { childRunsOf, RunLink } from "./run-links.js"

interface RunHeaderProps {
  readonly info: RunWithChart
  readonly events: readonly RunEvent[]
  readonly isConnected: boolean
  readonly onResume: () => void
  readonly onCancel: () => void
}

/** Whether a run with this status can still emit events. */
export const isOpenRun = ({ status }: RunWithChart): boolean =>
  status === "running" || status === "waiting" || status === "interrupted"

/** Shows the name, the status and the origin of a run, with buttons that resume or cancel it. */
export function RunHeader({ info, events, isConnected, onResume, onCancel }: RunHeaderProps) {
  const { runId, status, owner, file, forkedFrom, caller } = info
  return (
    <div class="bar run-bar">
      <h2>
        <span class={`dot is-${status}`} aria-hidden="true" />
        {info.chart}
      </h2>
      <p role="status">
        <strong>{status}</strong>
        {owner !== null && `, executed by ${owner}`}
        {info.isHere && !isConnected && ", connecting…"} <span class="calm">{runId}</span>
        {forkedFrom !== null && (
          <RunLink runId={forkedFrom.runId}>
            forked from {forkedFrom.runId.slice(0, 8)} at record {forkedFrom.at}
          </RunLink>
        )}
        {caller !== null && <RunLink runId={caller.runId}>called by {caller.runId}</RunLink>}
        {childRunsOf(events).map((child) => (
          <RunLink key={child} runId={child}>
            calls {child}
          </RunLink>
        ))}
      </p>
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
    </div>
  )
}
