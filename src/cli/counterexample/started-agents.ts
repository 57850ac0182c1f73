import type { ScriptedAct } from "../../analysis/index.js"
import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Checks whether a simulated run has started all agents that must start before the next step of a
 * counterexample.
 */
export class StartedAgents {
  readonly #events: readonly RunEvent[]
  /**
   * For each agent, the number of starts that are missing before the next step of the
   * counterexample. Negative if the agent has started more often than necessary.
   */
  readonly #missing = new Map<string, number>()
  #countedEvents = 0
  #countedAct: ScriptedAct | null = null

  /**
   * `events` contains the events of the run so far. The run adds further events to the same array.
   */
  constructor(events: readonly RunEvent[]) {
    this.#events = events
  }

  /**
   * Returns whether the run has started all agents that the counterexample lists before this step
   * (`starts`). Call this method for the steps in order.
   */
  includeAllBefore(act: ScriptedAct): boolean {
    if (this.#countedAct !== act) for (const agent of act.starts) this.#count(agent, 1)
    this.#countedAct = act
    for (; this.#countedEvents < this.#events.length; this.#countedEvents++) {
      const event = this.#events[this.#countedEvents]
      if (event?.type === "agent.started") this.#count(event.agent, -1)
    }
    return [...this.#missing.values()].every((times) => times <= 0)
  }

  #count(agent: string, change: 1 | -1): void {
    this.#missing.set(agent, (this.#missing.get(agent) ?? 0) + change)
  }
}
