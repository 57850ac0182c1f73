import type { RunEvent } from "../../../api.js"

/** The number, duration, tokens and cost of the calls of an agent or a run. */
export interface CallUsage {
  modelCalls: number
  toolCalls: number
  /** Total duration of model calls in milliseconds. Only attempts with a response are counted. */
  modelMs: number
  /**
   * Total number of input tokens of all model responses. Null if no response contains token counts.
   */
  inputTokens: number | null
  outputTokens: number | null
  /** Total cost of all model calls with a known price. Null if there are no such calls. */
  cost: number | null
}

/** The number of turns, the calls, the tokens and the cost of one agent. */
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
 * Computes the usage of each agent from the events of a run. Each event is processed only once, so
 * new events do not repeat earlier work.
 */
export class UsageCounter {
  readonly #usages = new Map<string, AgentUsage>()
  readonly #total: CallUsage = { ...noUsage }
  /** Start time of the last attempt of each model call without a response, by call id. */
  readonly #calledAt = new Map<string, number>()

  /** The usage of each agent, in the order of the first turn or call of the agents. */
  get all(): readonly Readonly<AgentUsage>[] {
    return [...this.#usages.values()]
  }

  /** The total usage of all agents. */
  get total(): Readonly<CallUsage> {
    return this.#total
  }

  /** Updates the usage with the next event of the run. */
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
 * Adds the duration and the tokens of a model response to a usage. `tokens` is null if the model
 * has not reported them.
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
