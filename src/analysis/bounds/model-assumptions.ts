import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"

/**
 * Assumptions about how models behave. The bounds of a run are valid if models stay within them.
 */
export interface ModelAssumptions {
  /**
   * Returns the possible variants of a turn. Which one is the most expensive depends on what is
   * counted.
   */
  turnVariants(agent: string): readonly TurnVariant[]
  /**
   * How often a person answers a question of the root model. Each answer resets the cycle count.
   */
  readonly userMessages: number
}

/** Maximum counts of one turn. */
export interface TurnVariant {
  readonly modelCalls: number
  /** Responses whose tool calls are executed. Responses that only transfer do not count. */
  readonly toolRounds: number
  /** Requests to people during the turn. */
  readonly humanWaits: number
  /** The number of calls of each AgentTool. */
  readonly targets: readonly {
    readonly tool: string
    readonly machine: string
    readonly times: number
  }[]
}

type LlmAgent = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * Returns the default assumptions: a model calls only its own tools, each at most once per
 * response, in at most `toolRounds` responses per turn. It never asks the user. Errors and retries
 * cause no further calls.
 */
export function defaultAssumptions(chart: AgentChart, toolRounds: number): ModelAssumptions {
  const known = new Map<string, readonly TurnVariant[]>()
  return {
    userMessages: 0,
    turnVariants(agent) {
      const before = known.get(agent)
      if (before !== undefined) return before
      const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
      const variants =
        definition?.type === "LlmAgent" ? variantsOf(definition, chart, toolRounds) : []
      known.set(agent, variants)
      return variants
    },
  }
}

function variantsOf(
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
  // A tool that ends the turn with its result is called only in the last response.
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

/**
 * Returns the tools after whose calls the model is called again. Tools that end the turn and
 * unknown tools are not included.
 */
export function callableTools(
  { tools, toolsets = [] }: LlmAgent,
  chart: AgentChart,
): readonly { readonly id: string; readonly tool: ToolDefinition }[] {
  return [...new Set([...tools, ...toolsets])].flatMap((id) => {
    const tool = Object.hasOwn(chart.tools, id) ? chart.tools[id] : undefined
    return tool === undefined || tool.type === "ExitLoopTool" ? [] : [{ id, tool }]
  })
}
