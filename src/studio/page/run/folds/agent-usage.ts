import type { RunEvent } from "../../../api.js"

/** The number, duration, tokens and cost of the calls so far. */
export interface CallUsage {
  modelCalls: number
  toolCalls: number
  /** Total duration of the attempts of model calls that got a response, in milliseconds. */
  modelMs: number
  /**
   * Total tokens of all model responses that contain token counts; null if no response contains
   * them.
   */
  inputTokens: number | null
  outputTokens: number | null
  /** Cost of the model calls; null if no model has a known price. */
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

/**
 * A counter of each agent's usage. It processes each event once, so later updates do not repeat
 * earlier work.
 */
export class UsageCounter {
  readonly #usages = new Map<string, AgentUsage>()
  readonly #total: CallUsage = { ...noUsage }
  /** Start time of the last attempt of each model call that has no response yet, by call id. */
  readonly #calledAt = new Map<string, number>()

  /** The usage of each agent. The agent whose first call or turn was earliest comes first. */
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

/**
 * Adds the duration and the tokens of a model response. `tokens` is null if the model reported
 * none.
 */
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
