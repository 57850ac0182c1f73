import type { Attributes } from "@opentelemetry/api"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { TokenUsage } from "../../../machines/contract/budget.js"

/** What spans are named and described by: the semantic conventions for generative AI, and what only this library knows. */
export interface Described {
  readonly name: string
  readonly attributes: Attributes
}

export type Operation = "invoke_workflow" | "invoke_agent" | "chat" | "execute_tool"

/** Who serves the models, and which conversation a run is part of: nothing in the events tells. */
export interface Named {
  readonly chart?: AgentChart
  /** `gen_ai.provider.name` of model calls: `openai`, `anthropic`, `gcp.gemini`, or a name of your own. */
  readonly provider?: string
  /** `gen_ai.conversation.id`, for example the id of the session. */
  readonly conversationId?: string
}

const described = (operation: Operation, of: string | null, attributes: Attributes): Described => ({
  name: of === null ? operation : `${operation} ${of}`,
  attributes: { "gen_ai.operation.name": operation, ...attributes },
})

const conversation = ({ conversationId }: Named): Attributes =>
  conversationId === undefined ? {} : { "gen_ai.conversation.id": conversationId }

export const workflowSpan = (
  workflow: string | null,
  runId: string | null,
  named: Named,
): Described =>
  described("invoke_workflow", workflow, {
    ...(workflow === null ? {} : { "gen_ai.workflow.name": workflow }),
    ...(runId === null ? {} : { "agent_statecharts.run.id": runId }),
    ...conversation(named),
  })

export function agentSpan(
  agent: string,
  kind: string,
  path: string,
  branch: string | null,
  named: Named,
): Described {
  const definition = own(named.chart?.agents, agent)
  return described("invoke_agent", agent, {
    "gen_ai.agent.name": agent,
    ...(definition?.description == null
      ? {}
      : { "gen_ai.agent.description": definition.description }),
    ...conversation(named),
    ...modelOf(agent, named),
    "agent_statecharts.agent.kind": kind,
    "agent_statecharts.agent.path": path,
    ...(branch === null ? {} : { "agent_statecharts.agent.branch": branch }),
  })
}

export function chatSpan(agent: string, attempt: number, named: Named): Described {
  const model = modelOf(agent, named)
  return described("chat", model["gen_ai.request.model"] ?? null, {
    ...model,
    ...(named.provider === undefined ? {} : { "gen_ai.provider.name": named.provider }),
    ...conversation(named),
    "gen_ai.agent.name": agent,
    "agent_statecharts.attempt": attempt,
  })
}

export const toolSpan = (tool: string, callId: string, agent: string, named: Named): Described =>
  described("execute_tool", tool, {
    "gen_ai.tool.name": tool,
    "gen_ai.tool.call.id": callId,
    "gen_ai.tool.type": "function",
    "gen_ai.agent.name": agent,
    ...describedTool(tool, agent, named),
  })

export const usageOf = ({ inputTokens, outputTokens, cost }: TokenUsage): Attributes => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  ...(cost === undefined ? {} : { "agent_statecharts.cost": cost }),
})

function modelOf(agent: string, { chart }: Named): { readonly "gen_ai.request.model"?: string } {
  const definition = own(chart?.agents, agent)
  return definition?.type === "LlmAgent" && definition.model !== null
    ? { "gen_ai.request.model": definition.model }
    : {}
}

function describedTool(tool: string, agent: string, { chart }: Named): Attributes {
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
