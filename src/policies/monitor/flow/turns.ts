import { instructionKeys, servicesOf } from "../../agent-reads.js"
import type { DataScope } from "./data-scopes.js"
import type { AgentReads, FlowSource, TurnDefinition } from "./turn-data.js"
import { TurnData } from "./turn-data.js"

/**
 * Stores the current turn of each LlmAgent, by agent path. A turn records which values contain data
 * from a source of the policy.
 */
export class Turns {
  readonly #source: FlowSource
  readonly #reads = new Map<string, AgentReads>()
  readonly #turns = new Map<string, TurnData>()

  constructor(source: FlowSource) {
    this.#source = source
  }

  turnAt(path: string): TurnData | undefined {
    return this.#turns.get(path)
  }

  /**
   * Returns the stored turn of the agent at `path`. If there is none, stores a new turn with the
   * values that `begin` returns. Returns undefined if the agent is not an LlmAgent.
   */
  open(
    agent: string,
    path: string,
    begin: () => { readonly scope: DataScope; readonly sees: boolean },
  ): TurnData | undefined {
    const known = this.#turns.get(path)
    const definition = this.#source.chart.agents[agent]
    if (known !== undefined || definition?.type !== "LlmAgent") return known
    const { scope, sees } = begin()
    const reads = this.#readsOf(agent, definition)
    const turn = new TurnData(agent, definition, reads, scope, sees, this.#source)
    this.#turns.set(path, turn)
    return turn
  }

  close(path: string): void {
    this.#turns.delete(path)
  }

  #readsOf(agent: string, definition: TurnDefinition): AgentReads {
    const known = this.#reads.get(agent)
    if (known !== undefined) return known
    const reads = { keys: instructionKeys(definition), services: servicesOf(definition) }
    this.#reads.set(agent, reads)
    return reads
  }
}
