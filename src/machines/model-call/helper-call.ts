import type { AgentDefinition } from "../contract/agent-definition.js"
import { templateValues } from "../contract/graphs/graph-values.js"
import type { Lookup, RunLocation, Writable } from "../contract/machine-kind.js"
import type { Message, ModelRequest } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { beginRequest, endRequest } from "../requests/request-state.js"
import type { ModelCall } from "./model-call-input.js"
import { limitsOf } from "./retry-policy.js"

/**
 * A model call that writes a summary or performs the check of a guardrail. `helper` is the agent
 * that makes the call for another agent.
 */
interface HelperCall {
  readonly helper: Extract<AgentDefinition, { type: "LlmAgent" }>
  readonly location: RunLocation & { readonly agent: string }
  readonly messages: readonly Message[]
  readonly outputSchema?: JsonObject
  readonly state: SessionState
  readonly iteration: number | null
  /** Idempotency key of the model call. */
  readonly key: string
  /** Number of the attempt. The first attempt has the number 1. */
  readonly attempt: number
  /** Start time of the first attempt, in milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * Returns the input of the actor `callModel` for a model call that writes a summary or performs the
 * check of a guardrail.
 */
export function helperCall(
  { helper, location, messages, outputSchema, state, iteration, ...call }: HelperCall,
  { chart }: Lookup,
): ModelCall {
  const { maximumAttempts } = helper.activity
  const values = templateValues(chart, state)
  const request = beginRequest<Writable<Omit<ModelRequest, "state">>>(state, iteration)
  request.model = helper.model
  request.endpoint = helper.endpoint
  request.messages = messages
  request.tools = []
  request.context = values.context
  if (values.graph !== undefined) request.graph = values.graph
  request.runId = location.runId
  request.agent = location.agent
  request.path = location.path
  request.branch = location.branch
  request.idempotencyKey = call.key
  request.attempt = call.attempt
  if (maximumAttempts > 1) request.maximumAttempts = maximumAttempts
  if (outputSchema !== undefined) request.outputSchema = outputSchema
  return { request: endRequest(request), ...limitsOf(helper.activity, call.startedAt) }
}
