import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { Guardrail } from "../../machines/contract/guardrails/guardrails.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"

/**
 * Assumptions about the behavior of models and people. The computed upper bounds are valid only if
 * a run satisfies them.
 */
export interface ModelAssumptions {
  /**
   * Returns the possible variants of one turn of an agent. For example, a tool can end the turn
   * early, which saves a model call but runs another agent. All variants are returned, because
   * their costs depend on the counted quantity, such as model calls.
   */
  turnVariants(agent: string): readonly TurnVariant[]
  /**
   * Assumed number of times that a person answers a question of the root agent's model. After each
   * answer, the maximum number of cycles (passes of the root agent) is allowed again.
   */
  readonly userMessages: number
}

/**
 * One possible variant of an agent's turn, with the maximum numbers of model calls, tool rounds and
 * requests to people.
 */
export interface TurnVariant {
  readonly modelCalls: number
  /**
   * Number of model calls after a failure. The calls repair an invalid or rejected text, or use a
   * fallback model. Included in `modelCalls`.
   */
  readonly afterFailures: number
  /** Number of model calls that summarize a long conversation. Not included in `modelCalls`. */
  readonly summaries: number
  /**
   * Number of model calls that each guardrail agent makes to check texts. Not included in
   * `modelCalls`.
   */
  readonly checks: readonly { readonly agent: string; readonly times: number }[]
  /**
   * Number of model responses whose tool calls are executed. Responses that only hand off to
   * another agent are not counted.
   */
  readonly toolRounds: number
  /** Number of requests to people for the confirmation of tool calls. */
  readonly humanWaits: number
  /**
   * For each AgentTool of the agent, the key of the machine that it runs. `times` is the number of
   * its calls in one turn.
   */
  readonly targets: readonly {
    readonly tool: string
    readonly machine: string
    readonly times: number
  }[]
}

type LlmAgent = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * Returns the default assumptions. A model calls only its own tools, each tool at most once in a
 * response, in at most `toolRounds` responses of a turn. Models never ask the user a question.
 * Retries are not counted as additional calls, but every call can fall back to all fallback models.
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

/**
 * Returns the same assumptions, but without failures and summaries. Models never fail, their output
 * is always valid, and no conversation is summarized.
 */
export const withoutFailures = (assumptions: ModelAssumptions): ModelAssumptions => ({
  ...assumptions,
  turnVariants: (agent) =>
    assumptions.turnVariants(agent).map((variant) => ({
      ...variant,
      modelCalls: variant.modelCalls - variant.afterFailures,
      afterFailures: 0,
      summaries: 0,
      checks: variant.checks.map(({ agent: checker }) => ({ agent: checker, times: 1 })),
    })),
})

function variantsOf(
  definition: LlmAgent,
  chart: AgentChart,
  toolRounds: number,
): readonly TurnVariant[] {
  const most = chart.settings.maxModelCallsPerTurn
  const tools = callableTools(definition, chart)
  const rounds = tools.length === 0 ? 0 : Math.min(toolRounds, most)
  const { guardrails } = definition
  const guardrailRepairs = (guardrails?.output ?? []).reduce(
    (sum, { maxRepairs = 0 }) => sum + maxRepairs,
    0,
  )
  const schemaRepairs =
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
  const models = 1 + (definition.fallback ?? []).length
  const calls = Math.min(rounds + 1, most)
  // Each response can be preceded by a summary of the conversation.
  const summariesOf = (responses: number): number =>
    definition.compaction === undefined ? 0 : responses
  const repairs = schemaRepairs + guardrailRepairs
  const { before = [], beside = [], output = [] } = guardrails ?? {}
  const timesOf = (list: readonly Guardrail[], times: number): TurnVariant["checks"] =>
    list.flatMap(({ checker }) => (checker === undefined ? [] : [{ agent: checker, times }]))
  const answering: TurnVariant = {
    modelCalls: (calls + repairs) * models,
    afterFailures: (calls + repairs) * models - calls,
    summaries: summariesOf(calls + repairs),
    checks: [...timesOf([...before, ...beside], 1), ...timesOf(output, 1 + repairs)],
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
    modelCalls: rounds * models,
    afterFailures: rounds * (models - 1),
    summaries: summariesOf(rounds),
    targets: agentTools.map(({ tool, machine, skips }) => ({
      tool,
      machine,
      times: skips ? 1 : rounds,
    })),
  }
  return [answering, endedByTool]
}

/**
 * Returns the tools of an agent after which the model is called again. Tools that exit a loop and
 * tools that are not in the chart are excluded.
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
