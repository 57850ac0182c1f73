import type { ComponentChildren } from "preact"
import type { RunEvent } from "../../../api.js"

/** Returns the ids of the runs that WorkflowAgents of a run have started, in order. */
export const childRunsOf = (events: readonly RunEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap((event) =>
      event.type === "agent.started" && event.childRun !== undefined ? [event.childRun] : [],
    ),
  ),
]

interface RunLinkProps {
  readonly runId: string
  readonly children: ComponentChildren
}

/** A link to another run: its origin, its caller, or a run that it calls. */
export const RunLink = ({ runId, children }: RunLinkProps) => (
  <>
    {" "}
    <a href={`#/run/${encodeURIComponent(runId)}`}>{children}</a>
  </>
)
