import type { HostContext } from "../../runtime/host/host-function.js"
import type { EventActions } from "../events/event-actions.js"

/**
 * Applies the side effects that a callback, a tool or an event requests, such as state changes, to
 * the run.
 */
export function applyActions(
  { stateDelta, escalate, transferToAgent, skipSummarization }: EventActions,
  host: HostContext,
): void {
  for (const [key, value] of Object.entries(stateDelta)) host.state.set(key, value)
  if (escalate === true) host.actions.escalate = true
  if (transferToAgent !== undefined) host.actions.transferToAgent = transferToAgent
  if (skipSummarization === true) host.actions.skipSummarization = true
}
