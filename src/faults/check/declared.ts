import { brokenBody, type FaultKind } from "../contract/fault.js"
import type { FaultPosition } from "../contract/fault-position.js"
import type { ObservedRun } from "../run/observed-run.js"

type LoggedEvent = ObservedRun["events"][number]

/**
 * Returns whether an event reports the effect of a fault, such as a failed agent, tool or node, an
 * expired request or a passed deadline. `faultyNode` is the graph node that received the fault, or
 * undefined.
 */
function declares(event: LoggedEvent, faultyNode: string | undefined): boolean {
  switch (event.type) {
    case "agent.finished":
      return event.outcome === "failed" || event.outcome === "limited"
    case "tool.finished":
      return (
        event.error !== undefined ||
        Object.hasOwn(event.response, "error") ||
        Object.values(event.response).some((value) => value === brokenBody || value === "")
      )
    case "node.finished":
      return (
        event.state === "executed_and_failed" ||
        event.error !== undefined ||
        // If the node received a broken response, its result (`outputMapping`) shows the effect.
        event.node === faultyNode
      )
    case "request.expired":
    case "deadline.passed":
      return true
    default:
      return false
  }
}

/**
 * Returns whether an event of the run with a fault explains why its result differs. Events that the
 * run without the fault also emitted are ignored. If the fault is a late response, the end of a
 * parallel block also explains a difference. Depending on the `completion` of the block, faster
 * branches may then determine its result.
 */
export function isDeclared(
  { kind, at }: { readonly kind: FaultKind; readonly at: FaultPosition },
  baseline: ObservedRun,
  run: ObservedRun,
): boolean {
  const isReason = (event: LoggedEvent): boolean =>
    kind === "clock-ahead"
      ? event.type === "request.expired" || event.type === "deadline.passed"
      : declares(event, at.node) || (kind === "late" && event.type === "parallel.settled")
  const known = new Set(baseline.events.filter(isReason).map((event) => JSON.stringify(event)))
  return run.events.some((event) => isReason(event) && !known.has(JSON.stringify(event)))
}
