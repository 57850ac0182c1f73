import type {
  AgentChart,
  AgentDefinition,
  ToolDefinition,
} from "../machines/contract/agent-chart.js"

/** How much models do of what a chart leaves to them. The bounds of a run hold as long as they do no more. */
export interface ModelAssumptions {
  /** The forms that a turn of an agent may take: which of them costs most depends on what is counted. */
  turnVariants(agent: string): readonly TurnVariant[]
  /** How often a person answers a question that the model of the root has asked, after which the cycles are counted anew. */
  readonly userMessages: number
}

/** What one turn may come to at most. */
export interface TurnVariant {
  readonly modelCalls: number
  /** Responses whose tool calls are run; transfers are none. */
  readonly toolRounds: number
  /** Requests to people. */
  readonly humanWaits: number
  /** How often each AgentTool is called. */
  readonly targets: readonly {
    readonly tool: string
    readonly machine: string
    readonly times: number
  }[]
}

type LlmAgent = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * What is usual: a model calls only tools that it has, each of them at most once in a response, in so many responses of a turn; it asks
 * nobody by itself. Errors and retries are no calls more.
 */
export function defaultAssumptions(chart: AgentChart, toolRounds: number): ModelAssumptions {
  const known = new Map<string, readonly TurnVariant[]>()
  return {
    userMessages: 0,
    turnVariants(agent) {
      const before = known.get(agent)
      if (before !== undefined) return before
      const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
      const forms = definition?.type === "LlmAgent" ? formsOf(definition, chart, toolRounds) : []
      known.set(agent, forms)
      return forms
    },
  }
}

function formsOf(
  definition: LlmAgent,
  chart: AgentChart,
  toolRounds: number,
): readonly TurnVariant[] {
  const most = chart.settings.maxModelCallsPerTurn
  const tools = callableTools(definition, chart)
  const rounds = tools.length === 0 ? 0 : Math.min(toolRounds, most)
  const repairs =
    definition.adk?.structuredOutputWithTools === true && definition.adk.outputSchema !== null
      ? 1
      : 0
  const asksEachTime = (definition.adk?.policies ?? []).length > 0
  const waits = tools.filter(
    ({ tool }) =>
      asksEachTime || ("requireConfirmation" in tool && tool.requireConfirmation === true),
  ).length
  const agentTools = tools.flatMap(({ id, tool }) =>
    tool.type === "AgentTool"
      ? [{ tool: id, machine: tool.machine, skips: tool.skipSummarization }]
      : [],
  )
  const answering: TurnVariant = {
    modelCalls: Math.min(rounds + 1, most) + repairs,
    toolRounds: rounds,
    humanWaits: rounds * waits,
    targets: agentTools
      .filter(({ skips }) => !skips)
      .map(({ tool, machine }) => ({ tool, machine, times: rounds })),
  }
  if (rounds === 0 || !agentTools.some(({ skips }) => skips)) return [answering]
  // Those that end the turn with their result are called in its last response.
  const endedByTool = {
    ...answering,
    modelCalls: rounds,
    targets: agentTools.map(({ tool, machine, skips }) => ({
      tool,
      machine,
      times: skips ? 1 : rounds,
    })),
  }
  return [answering, endedByTool]
}

/** The tools that a model may call and is called again after; one that ends the turn, or is not known, is none. */
export function callableTools(
  { tools, toolsets = [] }: LlmAgent,
  chart: AgentChart,
): readonly { readonly id: string; readonly tool: ToolDefinition }[] {
  return [...new Set([...tools, ...toolsets])].flatMap((id) => {
    const tool = Object.hasOwn(chart.tools, id) ? chart.tools[id] : undefined
    return tool === undefined || tool.type === "ExitLoopTool" ? [] : [{ id, tool }]
  })
}
