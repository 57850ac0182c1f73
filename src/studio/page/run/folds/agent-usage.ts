import type { RunEvent } from "../../../api.js"

/** Numbers of calls, time, tokens and cost of the calls so far. */
export interface CallUsage {
  modelCalls: number
  toolCalls: number
  /** Total duration of the model calls, in milliseconds. */
  modelMs: number
  /**
   * Total tokens of the model responses. Responses without token counts are ignored. null: no
   * response has token counts.
   */
  inputTokens: number | null
  outputTokens: number | null
  /** Cost of the calls; null if no model has a known price. */
  cost: number | null
}

/** The calls, tokens and cost of one agent so far. */
export interface AgentUsage extends CallUsage {
  readonly agent: string
  turns: number
}

const noUsage: CallUsage = {
  modelCalls: 0,
  toolCalls: 0,
  modelMs: 0,
  inputTokens: null,
  outputTokens: null,
  cost: null,
}

/** Computes the usage of each agent incrementally. Each event is processed once. */
export class UsageCounter {
  readonly #usages = new Map<string, AgentUsage>()
  readonly #total: CallUsage = { ...noUsage }
  /** Start times of model calls without a response, by call id. */
  readonly #calledAt = new Map<string, number>()

  /** The usage of each agent, in the order of their first events. */
  get all(): readonly Readonly<AgentUsage>[] {
    return [...this.#usages.values()]
  }

  /** The total usage of all agents. */
  get total(): Readonly<CallUsage> {
    return this.#total
  }

  /** Adds the next event of the run. */
  apply(event: RunEvent): void {
    if (
      event.type === "agent.started" &&
      (event.kind === "LlmAgent" || event.kind === "HumanAgent")
    )
      this.#usageOf(event.agent).turns += 1
    else if (event.type === "model.called") {
      this.#calledAt.set(event.call, event.at)
      if (event.attempt === 1) this.#add(event.agent, (usage) => (usage.modelCalls += 1))
    } else if (event.type === "model.responded") {
      const ms = event.at - (this.#calledAt.get(event.call) ?? event.at)
      this.#calledAt.delete(event.call)
      this.#add(event.agent, (usage) => addResponse(usage, ms, event.answer.usage))
    } else if (event.type === "tool.called" && event.attempt === 1)
      this.#add(event.agent, (usage) => (usage.toolCalls += 1))
  }

  #add(agent: string, add: (usage: CallUsage) => void): void {
    add(this.#usageOf(agent))
    add(this.#total)
  }

  #usageOf(agent: string): AgentUsage {
    const usage = this.#usages.get(agent) ?? { ...noUsage, agent, turns: 0 }
    this.#usages.set(agent, usage)
    return usage
  }
}

/** Adds the token usage of a model response. Its usage is null if the model reported no tokens. */
function addResponse(
  usage: CallUsage,
  ms: number,
  tokens: Extract<RunEvent, { type: "model.responded" }>["answer"]["usage"],
): void {
  usage.modelMs += ms
  if (tokens === null) return
  const { inputTokens, outputTokens, cost } = tokens
  usage.inputTokens = (usage.inputTokens ?? 0) + inputTokens
  usage.outputTokens = (usage.outputTokens ?? 0) + outputTokens
  if (cost !== undefined) usage.cost = (usage.cost ?? 0) + cost
}
