import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "./judged-event.js"
import { isInside } from "../atom.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"
import type { Price, PriceList } from "../price-list.js"
import { priceFor } from "../price-list.js"
import { PathFrames } from "./path-frames.js"
import type { PolicyWatch } from "./policy-watch.js"

/**
 * Follows a budget of costs (docs/policies.md#budgets). The cost of a call with a fixed price is
 * known before the call. The cost of all other calls is added when the model has answered.
 */
export function watchCost(
  policy: Policy,
  most: number,
  { agents, charts }: Pick<AgentChart, "agents" | "charts">,
  prices: PriceList | null,
): PolicyWatch {
  const frames = new PathFrames()
  /** The cost by id of the activation that the policy judges; `""` for the whole run. */
  const spent = new Map<string, number>([["", 0]])

  const priceOf = (agent: string): Price | null => {
    const definition = [agents, ...Object.values(charts ?? {}).map((chart) => chart.agents)]
      .map((each) => (Object.hasOwn(each, agent) ? each[agent] : undefined))
      .find((each) => each !== undefined)
    return prices === null ? null : priceFor(definition, prices)
  }
  /** Returns what an event costs; null: the event costs nothing and is not a call. */
  const costOf = (event: JudgedEvent): number | null => {
    if (event.type === "model.called") {
      const price = priceOf(event.agent)
      return price !== null && "perCall" in price ? price.perCall : 0
    }
    if (event.type !== "model.responded" || event.answer.usage === null) return null
    const price = priceOf(event.agent)
    const { inputTokens, outputTokens, cost } = event.answer.usage
    if (price === null) return cost ?? null
    return "perCall" in price
      ? null
      : (inputTokens * price.input + outputTokens * price.output) / 1_000_000
  }
  /** Returns the activations to which the cost of an event belongs. */
  const accountsOf = ({ agent, path }: JudgedEvent): readonly string[] => {
    const within = frames.of(path)
    if (policy.inside !== null && !isInside(policy.inside, { agent, within })) return []
    if (!("name" in policy.per)) return [""]
    const { name } = policy.per
    return within.filter((frame) => frame.agent === name).map(({ id }) => id)
  }
  const exceeds = (event: JudgedEvent): boolean => {
    const cost = costOf(event)
    if (cost === null) return false
    return accountsOf(event).some((id) => (spent.get(id) ?? 0) + cost > most)
  }
  const restart = (occurrences: readonly Occurrence[]): void => {
    const { type } = policy.per
    for (const { kind, activity } of occurrences) {
      if (kind === "message" && type === "invocation") spent.set("", 0)
      const ends =
        type === "iteration" ? kind === "iterated" || kind === "finish" : kind === "finish"
      if (ends && activity !== undefined) spent.delete(activity.id)
    }
  }
  return {
    policy,
    events: new Set([
      "model.called",
      "model.responded",
      "user.said",
      "agent.finished",
      "loop.iterated",
    ] as const),
    violates: (event) => {
      if (exceeds(event)) return true
      if (event.type !== "model.called") return false
      // The cost of this call is not known yet. It is only made while something is left.
      const price = priceOf(event.agent)
      const isFree = price !== null && "perCall" in price && price.perCall === 0
      return !isFree && accountsOf(event).some((id) => most > 0 && (spent.get(id) ?? 0) >= most)
    },
    follow(event, read) {
      const isViolated = exceeds(event)
      const cost = costOf(event) ?? 0
      if (cost > 0) for (const id of accountsOf(event)) spent.set(id, (spent.get(id) ?? 0) + cost)
      restart(read())
      return isViolated
    },
  }
}
