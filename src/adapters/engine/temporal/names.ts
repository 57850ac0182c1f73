import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { CallIdentity, Envelope } from "../../../machines/contract/services.js"
import type { RunError } from "../../../machines/contract/run-event.js"
import type { LeafCall } from "../../../runtime/driver/host.js"

/** What the workflow, its activities and its clients know each other by. */
export const messageSignal = "message"
export const messageUpdate = "give"
export const statusQuery = "status"
export const workflowType = "runAgents"

/** Activities of a worker that carries out the calls of runs; the calls by their kind. */
export interface TemporalActivities {
  /** Which services the chart needs that the worker does not have; null for none. */
  missingServices(chart: AgentChart): Promise<RunError | null>
  callModel(call: LeafCall): Promise<Envelope>
  callTool(call: LeafCall): Promise<Envelope>
  callHost(call: LeafCall): Promise<Envelope>
}

/** A server of Temporal refuses ids beyond 1,000 characters unless it is told otherwise, and many are told 255. */
const longestId = 255

/**
 * The id of a call among the activities of its workflow: which call it is, and which attempt. Temporal compares ids when it
 * replays a history, and people read them. Null where it would be too long: then Temporal counts.
 */
export function activityIdOf({ input }: LeafCall): string | null {
  // The input of every call that leaves the workflow has a request.
  const { runId, idempotencyKey, attempt } = (input as { readonly request: CallIdentity }).request
  const id = `${idempotencyKey.slice(runId.length + 1)}${attempt > 1 ? ` attempt ${attempt}` : ""}`
  return id.length > longestId ? null : id
}
