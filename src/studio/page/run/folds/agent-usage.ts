import type { RunEvent } from "../../../api.js"

/** What an agent has used so far. */
export interface AgentUsage {
  readonly agent: string
  turns: number
  modelCalls: number
  toolCalls: number
  /** Total duration of the model calls, in milliseconds. */
  modelMs: number
  /** Tokens of the responses that contain them; null if no response contains them. */
  inputTokens: number | null
  outputTokens: number | null
  /** null if no price is known. */
  cost: number | null
}

/** Adds up the usage of each agent. Each event is read once. */
export class UsageCounter {
  readonly #usages = new Map<string, AgentUsage>()
  /** Start times of model calls without a response, by call id. */
  readonly #calledAt = new Map<string, number>()

  /** The usage of each agent, in the order of the first use. */
  get all(): readonly Readonly<AgentUsage>[] {
    return [...this.#usages.values()]
  }

  /** Whether a response of a model contained its tokens. */
  get hasTokens(): boolean {
    return this.all.some(({ inputTokens }) => inputTokens !== null)
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
      if (event.attempt === 1) this.#usageOf(event.agent).modelCalls += 1
    } else if (event.type === "model.responded") {
      const usage = this.#usageOf(event.agent)
      usage.modelMs += event.at - (this.#calledAt.get(event.call) ?? event.at)
      this.#calledAt.delete(event.call)
      if (event.answer.usage === null) return
      const { inputTokens, outputTokens, cost } = event.answer.usage
      usage.inputTokens = (usage.inputTokens ?? 0) + inputTokens
      usage.outputTokens = (usage.outputTokens ?? 0) + outputTokens
      if (cost !== undefined) usage.cost = (usage.cost ?? 0) + cost
    } else if (event.type === "tool.called" && event.attempt === 1)
      this.#usageOf(event.agent).toolCalls += 1
  }

  #usageOf(agent: string): AgentUsage {
    const usage = this.#usages.get(agent) ?? {
      agent,
      turns: 0,
      modelCalls: 0,
      toolCalls: 0,
      modelMs: 0,
      inputTokens: null,
      outputTokens: null,
      cost: null,
    }
    this.#usages.set(agent, usage)
    return usage
  }
}
