import type { ComponentChildren } from "preact"

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
