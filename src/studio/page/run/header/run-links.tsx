import type { ComponentChildren } from "preact"

interface RunLinkProps {
  readonly runId: string
  readonly children: ComponentChildren
}

/**
 * A link to a related run: the run from which a fork was made, the calling run, or a called run.
 */
export const RunLink = ({ runId, children }: RunLinkProps) => (
  <>
    {" "}
    <a href={`#/run/${encodeURIComponent(runId)}`}>{children}</a>
  </>
)
