import type { Router } from "../common/failover.js"
import { candidatesOf, runWithRouting } from "../common/failover.js"
import { refuse } from "../common/refuse.js"
import type { Event } from "../events/event.js"
import type { BaseAgentConfig } from "./base-agent.js"
import { BaseAgent } from "./base-agent.js"
import type { InvocationContext } from "./invocation-context.js"

/**
 * A function that returns the key of the agent to run. After a failure, the function can return
 * undefined, and the RoutedAgent then fails with the last error.
 */
export type AgentRouter = Router<BaseAgent, InvocationContext>

export interface RoutedAgentConfig extends Omit<BaseAgentConfig, "subAgents"> {
  /**
   * The agents that the router can choose, by key. If this is a list, the key of each agent is its
   * name.
   */
  readonly agents: Readonly<Record<string, BaseAgent>> | readonly BaseAgent[]
  readonly router: AgentRouter
}

/**
 * An agent that runs one of several agents. The function `router` chooses the agent. If the chosen
 * agent fails, the function is called again with the keys that have failed. Each choice is a
 * recorded step.
 *
 * @example
 * const desk = new RoutedAgent({ name: "desk", agents: { short, long }, router: (_agents, { session }) => (session.state.urgent ? "short" : "long") })
 */
export class RoutedAgent extends BaseAgent {
  protected readonly agents: Readonly<Record<string, BaseAgent>>
  protected readonly router: AgentRouter

  constructor({ agents, router, ...config }: RoutedAgentConfig) {
    if (typeof router !== "function")
      refuse(
        `The RoutedAgent "${config.name}" has no router.`,
        "Pass { router }, a function that returns the key of an agent.",
      )
    const candidates = candidatesOf(agents, ({ name }) => name)
    super({ ...config, subAgents: Object.values(candidates) })
    this.agents = candidates
    this.router = router
  }

  /**
   * Returns a copy of this agent without a parent. The agents of the router are copied too and keep
   * their keys.
   */
  override clone(overrides: Partial<RoutedAgentConfig> = {}): this {
    const agents =
      overrides.agents === undefined
        ? Object.fromEntries(
            Object.entries(this.agents).map(([key, agent]) => [key, agent.clone()] as const),
          )
        : candidatesOf(overrides.agents, ({ name }) => name)
    const copied = { ...overrides, agents, subAgents: Object.values(agents) }
    return super.clone(copied)
  }

  protected override runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void, void> {
    let choices = 0
    return runWithRouting(
      `the RoutedAgent "${this.name}"`,
      this.agents,
      async (errorContext) => {
        const choose = async (): Promise<string | null> =>
          (await this.router(this.agents, context, errorContext)) ?? null
        return (await context.step(`choice ${++choices}`, choose)) ?? undefined
      },
      (agent) => agent.runAsync(context),
    )
  }
}
