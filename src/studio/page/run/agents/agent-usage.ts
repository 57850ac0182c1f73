import type { RunEvent } from "../../../api.js"

/** What an agent has used so far. */
export interface AgentUsage {
  readonly agent: string
  turns: number
  modelCalls: number
  toolCalls: number
  /** Total duration of the model calls, in milliseconds. */
  modelMs: number
  inputTokens: number
  outputTokens: number
  /** null if no price is known. */
  cost: number | null
}

/** Adds up the usage of each agent. */
export function usageByAgent(events: readonly RunEvent[]): readonly Readonly<AgentUsage>[] {
  const usages = new Map<string, AgentUsage>()
  /** Start times of model calls, by call id. */
  const calledAt = new Map<string, number>()
  const usageOf = (agent: string): AgentUsage => {
    const usage = usages.get(agent) ?? {
      agent,
      turns: 0,
      modelCalls: 0,
      toolCalls: 0,
      modelMs: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: null,
    }
    usages.set(agent, usage)
    return usage
  }
  for (const event of events) {
    if (
      event.type === "agent.started" &&
      (event.kind === "LlmAgent" || event.kind === "HumanAgent")
    )
      usageOf(event.agent).turns += 1
    else if (event.type === "model.called") {
      calledAt.set(event.call, event.at)
      if (event.attempt === 1) usageOf(event.agent).modelCalls += 1
    } else if (event.type === "model.responded") {
      const { inputTokens = 0, outputTokens = 0, cost } = event.answer.usage ?? {}
      const usage = usageOf(event.agent)
      usage.modelMs += event.at - (calledAt.get(event.call) ?? event.at)
      usage.inputTokens += inputTokens
      usage.outputTokens += outputTokens
      if (cost !== undefined) usage.cost = (usage.cost ?? 0) + cost
    } else if (event.type === "tool.called" && event.attempt === 1)
      usageOf(event.agent).toolCalls += 1
  }
  return [...usages.values()]
}
