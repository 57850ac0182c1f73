import type { Event } from "../events/event.js"
import { refuse } from "../refuse.js"
import type { BaseAgentConfig } from "./base-agent.js"
import { BaseAgent } from "./base-agent.js"

/** An agent of a class that charts know: what it does is in the chart, so there is no code of it to be run or replaced. */
export abstract class ChartedAgent extends BaseAgent {
  constructor(config: BaseAgentConfig) {
    super(config)
    if (this.runAsyncImpl !== ChartedAgent.prototype.runAsyncImpl) {
      refuse(
        `The class of "${config.name}" has a runAsyncImpl of its own, which nothing would call: what an agent of this class does stands in the chart.`,
        "Extend BaseAgent and run this agent as a sub-agent.",
      )
    }
  }

  protected override runAsyncImpl(): AsyncGenerator<Event, void, void> {
    return refuse(
      `The agent "${this.name}" is run by its chart.`,
      "Run it with runAsync(context) from a custom agent that has it as a sub-agent, or with an InMemoryRunner.",
    )
  }
}
