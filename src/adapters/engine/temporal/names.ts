import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { CallIdentity, Envelope } from "../../../machines/contract/services.js"
import type { RunError } from "../../../machines/contract/run-event.js"
import type { LeafCall } from "../../../runtime/driver/host.js"

/** Name of the Temporal signal that sends a message to a run. */
export const messageSignal = "message"
export const messageUpdate = "give"
export const statusQuery = "status"
export const workflowType = "runAgents"

/** The activities of a Temporal worker. There is one activity for each kind of call. */
export interface TemporalActivities {
  /**
   * Returns an error that lists the services that the chart needs but the worker does not have.
   * Returns null if the worker has all of them.
   */
  missingServices(chart: AgentChart): Promise<RunError | null>
  callModel(call: LeafCall): Promise<Envelope>
  callTool(call: LeafCall): Promise<Envelope>
  callNode(call: LeafCall): Promise<Envelope>
  callHost(call: LeafCall): Promise<Envelope>
  callWorkflow(call: LeafCall): Promise<Envelope>
}

/**
 * Maximum length of a Temporal activity id. By default, a Temporal server accepts 1,000 characters,
 * but many servers are configured to accept only 255.
 */
const longestId = 255

/**
 * Returns the Temporal activity id for a call. It contains the call and its attempt, for example
 * `pipeline/writer#0 attempt 2`. Returns null if the id would be too long. Temporal then assigns a
 * number as the id.
 */
export function activityIdOf({ input }: LeafCall): string | null {
  // The cast is safe. Every call that is executed as an activity has a request.
  const { runId, idempotencyKey, attempt } = (input as { readonly request: CallIdentity }).request
  const id = `${idempotencyKey.slice(runId.length + 1)}${attempt > 1 ? ` attempt ${attempt}` : ""}`
  return id.length > longestId ? null : id
}
