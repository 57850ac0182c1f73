import type { RunEvent } from "../../api.js"

/** Returns the ids of the runs that WorkflowAgents of a run have started, in order. */
export const childRunsOf = (events: readonly RunEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap((event) =>
      event.type === "agent.started" && event.childRun !== undefined ? [event.childRun] : [],
    ),
  ),
]

/** A link to another run, which called this run or is called by it. */
export const RunLink = ({ runId, text }: { readonly runId: string; readonly text: string }) => (
  <>
    {" "}
    <a href={`#/run/${encodeURIComponent(runId)}`}>
      {text} {runId}
    </a>
  </>
)
