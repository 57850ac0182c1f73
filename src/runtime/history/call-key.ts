import type { NodeRequest } from "../../machines/contract/graphs/node-service.js"
import type { HostRequest, ModelRequest, ToolRequest } from "../../machines/contract/services.js"
import type { WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import type { LeafCall } from "../driver/host.js"

/**
 * An external call (for example a model call), described independently of its run. Its key is used
 * to find the same call in another run of the chart.
 */
export interface KnownCall {
  readonly kind: "model" | "tool" | "node" | "host" | "workflow" | "pause"
  /**
   * Path of the agent and number of the call, for example `pipeline/writer#0`. The key does not
   * contain the run id.
   */
  readonly key: string
  readonly agent: string | null
  readonly path: string
  readonly attempt: number
  /**
   * Name of the called model, tool, graph node, host function or workflow. null for a pause, and
   * for a model without a name.
   */
  readonly of: string | null
  readonly call: LeafCall
}

type Request = ModelRequest | ToolRequest | NodeRequest | HostRequest | WorkflowRequest

/**
 * Returns the description of a call with a key that does not contain the run id. The same call
 * therefore has the same key in every run of the chart.
 */
export function knownCall(call: LeafCall): KnownCall {
  const { src, input } = call
  if (src === "sleepUntil") {
    const { until, awaits } = input as { readonly until: number; readonly awaits?: string }
    return {
      kind: "pause",
      key: awaits === undefined ? `pause until ${until}` : `time for ${awaits}`,
      agent: null,
      path: "",
      attempt: 1,
      of: null,
      call,
    }
  }
  const { request } = input as { readonly request: Request }
  const { agent, path, attempt, runId } = request
  const key = request.idempotencyKey.slice(runId.length + 1)
  const common = { agent, path, attempt, call }
  if (src === "callModel")
    return { kind: "model", key, of: (request as ModelRequest).model, ...common }
  if (src === "callTool") return { kind: "tool", key, of: (request as ToolRequest).tool, ...common }
  if (src === "callNode") {
    const { node, task } = request as NodeRequest
    // The request of a graph node and the evaluation of its conditions have the same idempotency
    // key. The type of the task makes the keys unique.
    return { kind: "node", key: `${key}.${task.type}`, of: node, ...common }
  }
  if (src === "callWorkflow") {
    const { workflow, seen, answers, remote } = request as WorkflowRequest
    // A child run may be called several times with the same idempotency key. The requests and
    // answers of each call make the keys unique.
    const since = [
      ...(remote?.task === undefined ? [] : ["task"]),
      ...seen,
      ...(answers ?? []).map(({ id }) => `answer to ${id}`),
    ].join()
    return {
      kind: "workflow",
      key: since === "" ? key : `${key} ${since}`,
      of: workflow,
      ...common,
    }
  }
  const { service, steps } = request as HostRequest
  return { kind: "host", key: `${key}.${steps.length}`, of: service, ...common }
}

/**
 * Returns a key that identifies one attempt of a call, for example `model pipeline/writer#0 1`.
 * Used as a map key.
 */
export const mapKey = ({ kind, key, attempt }: KnownCall): string => `${kind} ${key} ${attempt}`

/**
 * Returns a one-line description of a call, for example `agent "writer" calls its model
 * (pipeline/writer#0)`.
 */
export function describeKnownCall({ kind, key, agent, of, attempt }: KnownCall): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ""
  switch (kind) {
    case "model":
      return `agent "${agent}" calls its model (${key}${again})`
    case "tool":
      return `agent "${agent}" calls the tool "${of}" (${key}${again})`
    case "node":
      return `node "${of}" calls its service (${key}${again})`
    case "host":
      return `agent "${agent}" runs the host function "${of}" (${key}${again})`
    case "workflow":
      return `agent "${agent}" calls the workflow "${of}" (${key}${again})`
    case "pause":
      return key
  }
}
