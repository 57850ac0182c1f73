import type { ComponentChildren } from "preact"

interface RunLinkProps {
  readonly runId: string
  readonly children: ComponentChildren
}

/** Link to a related run, for example the run from which a fork was made, or a called run. */
export const RunLink = ({ runId, children }: RunLinkProps) => (
  <>
    {" "}
    <a href={`#/run/${encodeURIComponent(runId)}`}>{children}</a>
  </>
)
