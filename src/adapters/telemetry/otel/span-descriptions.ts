import type { EmittedEvent } from "../../../machines/contract/run-event.js"
import type { Attributes } from "@opentelemetry/api"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../../machines/contract/agent-definition.js"
import type { TokenUsage } from "../../../machines/contract/budget.js"

/**
 * Name and attributes of an OpenTelemetry span. The attributes follow the semantic conventions for
 * generative AI. Additional attributes start with `agent_statecharts.`.
 */
export interface SpanDescription {
  readonly name: string
  readonly attributes: Attributes
}

type GenAiOperation = "invoke_workflow" | "invoke_agent" | "chat" | "execute_tool"

/** Values for span attributes that are not in the events of a run. */
export interface ConventionOptions {
  /** Chart of the run. Model names and descriptions are read from it. */
  readonly chart?: AgentChart
  /**
   * Value of the attribute `gen_ai.provider.name` for model calls, for example `openai`,
   * `anthropic` or `gcp.gemini`.
   */
  readonly provider?: string
  /** Value of the attribute `gen_ai.conversation.id`, for example the id of the session. */
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
    ...(workflow !== null && { "gen_ai.workflow.name": workflow }),
    ...(runId !== null && { "agent_statecharts.run.id": runId }),
    ...conversation(options),
  })

/**
 * Returns the definition of an agent from the chart of the run. Some graph nodes (adk nodes)
 * contain a tree of agents. The definition of such an agent is in the node's own chart, and the id
 * of the node is one of the segments of `path`.
 */
function definitionOf(
  { chart }: ConventionOptions,
  agent: string,
  path: string,
): AgentDefinition | undefined {
  const known = own(chart?.agents, agent)
  if (known !== undefined || chart?.charts === undefined) return known
  const nodes = path.split("/").map((segment) => segment.replace(/[[~].*$/, ""))
  const key = nodes.find((node) => Object.hasOwn(chart.charts ?? {}, node))
  return key === undefined ? undefined : own(chart.charts[key]?.agents, agent)
}

/** Returns the name and the attributes of the OpenTelemetry span for a node of a task graph. */
export const nodeSpan = (
  node: string,
  path: string,
  branch: string | null,
  options: ConventionOptions,
): SpanDescription => ({
  name: `node ${node}`,
  attributes: {
    ...conversation(options),
    "agent_statecharts.node.id": node,
    "agent_statecharts.node.path": path,
    ...(branch !== null && { "agent_statecharts.node.branch": branch }),
  },
})

export function agentSpan(
  agent: string,
  kind: string,
  path: string,
  branch: string | null,
  options: ConventionOptions,
): SpanDescription {
  const definition = definitionOf(options, agent, path)
  return describe("invoke_agent", agent, {
    "gen_ai.agent.name": agent,
    ...(definition?.description != null && { "gen_ai.agent.description": definition.description }),
    ...conversation(options),
    ...modelOf(definition),
    "agent_statecharts.agent.kind": kind,
    "agent_statecharts.agent.path": path,
    ...(branch !== null && { "agent_statecharts.agent.branch": branch }),
  })
}

export function chatSpan(
  { agent, path, attempt, model: fallback }: Extract<EmittedEvent, { type: "model.called" }>,
  options: ConventionOptions,
): SpanDescription {
  const model =
    fallback === undefined
      ? modelOf(definitionOf(options, agent, path))
      : { "gen_ai.request.model": fallback }
  return describe("chat", model["gen_ai.request.model"] ?? null, {
    ...model,
    ...(options.provider !== undefined && { "gen_ai.provider.name": options.provider }),
    ...conversation(options),
    "gen_ai.agent.name": agent,
    "agent_statecharts.attempt": attempt,
  })
}

export const toolSpan = (
  tool: string,
  callId: string,
  agent: string,
  path: string,
  options: ConventionOptions,
): SpanDescription =>
  describe("execute_tool", tool, {
    "gen_ai.tool.name": tool,
    "gen_ai.tool.call.id": callId,
    "gen_ai.tool.type": "function",
    "gen_ai.agent.name": agent,
    ...toolDescription(tool, definitionOf(options, agent, path)),
  })

export const usageAttributes = ({ inputTokens, outputTokens, cost }: TokenUsage): Attributes => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  ...(cost !== undefined && { "agent_statecharts.cost": cost }),
})

function modelOf(definition: AgentDefinition | undefined): {
  readonly "gen_ai.request.model"?: string
} {
  return definition?.type === "LlmAgent" && definition.model !== null
    ? { "gen_ai.request.model": definition.model }
    : {}
}

function toolDescription(tool: string, definition: AgentDefinition | undefined): Attributes {
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
