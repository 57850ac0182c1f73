import { templateValues } from "../contract/graphs/graph-values.js"
import type { CallLimits } from "./retry-policy.js"
import { limitsOf } from "./retry-policy.js"
import type { BudgetOwner } from "../contract/budget.js"
import type { CallFailure, Message, ModelRequest } from "../contract/services.js"
import { systemText } from "./conversation.js"
import { endpointAt, modelNameAt } from "./agent-models.js"
import { joinTexts, withOpening } from "./instructions.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import { beginRequest, endRequest } from "../requests/request-state.js"
import type { Lookup } from "../contract/machine-kind.js"
import { declarationsOf } from "./turn-tools.js"

type Writable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] }

/** Input of the actor `callModel`, which makes a model call. */
export interface ModelCall extends CallLimits {
  readonly request: ModelRequest
  /**
   * The owner of the budget that a person has extended for this call, which is the run or the
   * agent. Absent if no budget was extended.
   */
  readonly grants?: BudgetOwner
  /**
   * Index of the model to call: the agent's own model (0), its fallbacks, then the models of its
   * routes. If absent, the agent's own model is called.
   */
  readonly modelIndex?: number
  /** If set, no model is called, and the call fails with this failure. */
  readonly refusal?: CallFailure
  /** Time for which the response is cached, in milliseconds. If absent, it is not cached. */
  readonly cacheMs?: number
  /** Set if the text of the response must not be streamed, because guardrails check it first. */
  readonly holdsText?: true
}

/**
 * Returns the input of the actor `callModel` for the agent's next model call
 * (docs/semantics.md#model-calls). Sets the request fields one by one, because this function runs
 * for every call and object spreads are slow.
 */
export function modelCallInput(context: LlmAgentContext, { chart }: Lookup): ModelCall {
  const { definition, input, instructions } = context
  const { runId, agent, path, branch, iteration } = input
  const request = beginRequest<Writable<Omit<ModelRequest, "state">>>(context.state, iteration)
  const modelIndex = context.modelIndex ?? 0
  request.endpoint = endpointAt(definition, modelIndex)
  request.model = request.endpoint === null ? modelNameAt(definition, modelIndex) : definition.model
  request.messages = messagesOf(context)
  request.tools = declarationsOf(context)
  const { context: templateContext, graph } = templateValues(chart, context.state)
  request.context = templateContext
  if (graph !== undefined) request.graph = graph
  request.runId = runId
  request.agent = agent
  request.path = path
  request.branch = branch
  request.idempotencyKey = context.callKey
  request.attempt = context.attempt
  const { maximumAttempts } = definition.activity
  if (maximumAttempts > 1) request.maximumAttempts = maximumAttempts
  const { adk } = definition
  if (adk !== undefined && adk.generateContentConfig !== null)
    request.generationConfig = adk.generateContentConfig
  if (adk !== undefined && adk.outputSchema !== null) request.outputSchema = adk.outputSchema
  // Set only if the last message asks the model to correct its text, and not after tool calls.
  if (context.repairs > 0 && context.conversation.at(-1)?.role === "user") request.mustAnswer = true
  const { timeoutMs, deadline } = limitsOf(definition.activity, context.callStartedAt)
  const call: Writable<ModelCall> = { request: endRequest(request), timeoutMs, deadline }
  if (definition.activity.idleMs !== undefined) call.idleMs = definition.activity.idleMs
  if (definition.cacheMs !== undefined) call.cacheMs = definition.cacheMs
  if (modelIndex > 0) call.modelIndex = modelIndex
  if (context.granted?.call === context.calls - 1) call.grants = context.granted.to
  const refusal = context.routeFailure ?? (instructions?.ok === false ? instructions.failure : null)
  if (refusal !== null) call.refusal = refusal
  return call
}

function messagesOf(context: LlmAgentContext): readonly Message[] {
  const { conversation, definition, instructions } = context
  const own = instructions?.ok === true ? instructions.system : systemText(definition)
  const system = context.memories ? joinTexts(own, context.memories) : own
  const userContent =
    instructions?.ok === true ? withOpening(conversation, instructions.opening) : conversation
  if (system === null) return userContent
  const messages: Message[] = [{ role: "system", content: system }]
  return messages.concat(userContent)
}
