import type { Attributes } from "@opentelemetry/api"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { TokenUsage } from "../../../machines/contract/budget.js"

/**
 * Name and attributes of a span. The attributes follow the semantic conventions for generative AI.
 * Additional attributes start with `agent_statecharts.`.
 */
export interface SpanDescription {
  readonly name: string
  readonly attributes: Attributes
}

type GenAiOperation = "invoke_workflow" | "invoke_agent" | "chat" | "execute_tool"

/** Options for span attributes whose values are not contained in the events of a run. */
export interface ConventionOptions {
  /** Chart of the run, from which model names and descriptions are read. */
  readonly chart?: AgentChart
  /**
   * Value of `gen_ai.provider.name` for model calls, for example `openai`, `anthropic` or
   * `gcp.gemini`.
   */
  readonly provider?: string
  /** Value of `gen_ai.conversation.id`, for example the id of the session. */
  readonly conversationId?: string
}

const describe = (
  operation: GenAiOperation,
  of: string | null,
  attributes: Attributes,
): SpanDescription => ({
  name: of === null ? operation : `${operation} ${of}`,
  attributes: { "gen_ai.operation.name": operation, ...attributes },
})

const conversation = ({ conversationId }: ConventionOptions): Attributes =>
  conversationId === undefined ? {} : { "gen_ai.conversation.id": conversationId }

export const workflowSpan = (
  workflow: string | null,
  runId: string | null,
  options: ConventionOptions,
): SpanDescription =>
  describe("invoke_workflow", workflow, {
    ...(workflow === null ? {} : { "gen_ai.workflow.name": workflow }),
    ...(runId === null ? {} : { "agent_statecharts.run.id": runId }),
    ...conversation(options),
  })

export function agentSpan(
  agent: string,
  kind: string,
  path: string,
  branch: string | null,
  options: ConventionOptions,
): SpanDescription {
  const definition = own(options.chart?.agents, agent)
  return describe("invoke_agent", agent, {
    "gen_ai.agent.name": agent,
    ...(definition?.description == null
      ? {}
      : { "gen_ai.agent.description": definition.description }),
    ...conversation(options),
    ...modelOf(agent, options),
    "agent_statecharts.agent.kind": kind,
    "agent_statecharts.agent.path": path,
    ...(branch === null ? {} : { "agent_statecharts.agent.branch": branch }),
  })
}

export function chatSpan(
  agent: string,
  attempt: number,
  options: ConventionOptions,
): SpanDescription {
  const model = modelOf(agent, options)
  return describe("chat", model["gen_ai.request.model"] ?? null, {
    ...model,
    ...(options.provider === undefined ? {} : { "gen_ai.provider.name": options.provider }),
    ...conversation(options),
    "gen_ai.agent.name": agent,
    "agent_statecharts.attempt": attempt,
  })
}

export const toolSpan = (
  tool: string,
  callId: string,
  agent: string,
  options: ConventionOptions,
): SpanDescription =>
  describe("execute_tool", tool, {
    "gen_ai.tool.name": tool,
    "gen_ai.tool.call.id": callId,
    "gen_ai.tool.type": "function",
    "gen_ai.agent.name": agent,
    ...toolDescription(tool, agent, options),
  })

export const usageAttributes = ({ inputTokens, outputTokens, cost }: TokenUsage): Attributes => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  ...(cost === undefined ? {} : { "agent_statecharts.cost": cost }),
})

function modelOf(
  agent: string,
  { chart }: ConventionOptions,
): { readonly "gen_ai.request.model"?: string } {
  const definition = own(chart?.agents, agent)
  return definition?.type === "LlmAgent" && definition.model !== null
    ? { "gen_ai.request.model": definition.model }
    : {}
}

function toolDescription(tool: string, agent: string, { chart }: ConventionOptions): Attributes {
  const definition = own(chart?.agents, agent)
  const declared =
    definition?.type === "LlmAgent"
      ? definition.declarations.find((declaration) => declaration.function.name === tool)
      : undefined
  return declared === undefined ? {} : { "gen_ai.tool.description": declared.function.description }
}

const own = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
