import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { CallIdentity, Envelope } from "../../../machines/contract/services.js"
import type { RunError } from "../../../machines/contract/run-event.js"
import type { LeafCall } from "../../../runtime/driver/host.js"

/** Names shared by the workflow, its activities and its clients. */
export const messageSignal = "message"
export const messageUpdate = "give"
export const statusQuery = "status"
export const workflowType = "runAgents"

/** Activities of a worker that performs the calls of runs, by kind of call. */
export interface TemporalActivities {
  /** Returns an error that names the services missing on the worker, or null. */
  missingServices(chart: AgentChart): Promise<RunError | null>
  callModel(call: LeafCall): Promise<Envelope>
  callTool(call: LeafCall): Promise<Envelope>
  callHost(call: LeafCall): Promise<Envelope>
}

/**
 * Maximum length of an activity id. A Temporal server accepts 1,000 characters by default, but many
 * are configured to 255.
 */
const longestId = 255

/**
 * Returns the activity id of a call, which contains the call and the attempt. Temporal compares ids
 * on replay, and people read them. Returns null if the id would be too long; Temporal then numbers
 * the activity.
 */
export function activityIdOf({ input }: LeafCall): string | null {
  // The input of every call that leaves the workflow has a request.
  const { runId, idempotencyKey, attempt } = (input as { readonly request: CallIdentity }).request
  const id = `${idempotencyKey.slice(runId.length + 1)}${attempt > 1 ? ` attempt ${attempt}` : ""}`
  return id.length > longestId ? null : id
}
