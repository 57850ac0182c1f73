import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "./judged-event.js"
import { isInside } from "../atom.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"
import type { Price, PriceList } from "../price-list.js"
import { priceFor } from "../price-list.js"
import type { ChartNames } from "./chart-names.js"
import { PathFrames } from "./path-frames.js"
import type { PolicyWatch, ReadOccurrences, WatchedPolicy } from "./policy-watch.js"

const readEvents: readonly JudgedEvent["type"][] = [
  "model.called",
  "model.responded",
  "user.said",
  "agent.finished",
  "loop.iterated",
]

/** The fields of an event that determine the price of a model call. */
type ModelEvent = Pick<
  Extract<JudgedEvent, { type: "model.called" | "model.responded" }>,
  "agent" | "model"
>

/**
 * Compiles a policy that limits the cost of runs (docs/policies.md#budgets). A fixed price per call
 * is added before the call. All other costs are added after the model has responded.
 */
export function watchCost(
  policy: Policy,
  most: number,
  { agents, charts }: Pick<AgentChart, "agents" | "charts">,
  prices: PriceList | null,
  names: ChartNames,
): WatchedPolicy {
  const known = new Map<string, Price | null>()
  const priceOf = ({ agent, model }: ModelEvent): Price | null => {
    const key = model === undefined ? agent : JSON.stringify([agent, model])
    const price = known.get(key)
    if (price !== undefined || prices === null) return price ?? null
    const definition = [agents, ...Object.values(charts ?? {}).map((chart) => chart.agents)]
      .map((each) => (Object.hasOwn(each, agent) ? each[agent] : undefined))
      .find((each) => each !== undefined)
    const found = priceFor(definition, prices, model)
    known.set(key, found)
    return found
  }
  const { type } = policy.per
  // All other events are only read to detect the end of an agent's activation. The iterations of a
  // loop share one plan.
  const ends = (event: JudgedEvent): boolean =>
    type === "invocation"
      ? event.type === "user.said"
      : "name" in policy.per &&
        (event.type === "loop.iterated" ||
          (event.type === "agent.finished" && event.agent === policy.per.name))
  return {
    policy,
    reading: (event) =>
      readEvents.includes(event.type) &&
      (event.type === "model.called" || event.type === "model.responded" || ends(event))
        ? "always"
        : "never",
    open: () => new CostWatch(policy, most, priceOf, names),
  }
}

/**
 * Adds up the cost of the model calls in one run and compares the sum with the budget of the
 * policy.
 */
class CostWatch implements PolicyWatch {
  readonly isActive = true
  readonly #policy: Policy
  readonly #most: number
  readonly #priceOf: (event: ModelEvent) => Price | null
  readonly #frames: PathFrames
  /**
   * The cost so far, by the id of an activation. An activation is one run of the agent to which the
   * budget applies. The id `""` stands for the whole run.
   */
  readonly #spent = new Map<string, number>([["", 0]])

  constructor(
    policy: Policy,
    most: number,
    priceOf: (event: ModelEvent) => Price | null,
    names: ChartNames,
  ) {
    this.#frames = new PathFrames(names)
    this.#policy = policy
    this.#most = most
    this.#priceOf = priceOf
  }

  violates(event: JudgedEvent): boolean {
    if (this.#exceeds(event)) return true
    if (event.type !== "model.called") return false
    // The cost of this call is not known yet. Allow the call only while some of the budget is left.
    const price = this.#priceOf(event)
    const isFree = price !== null && "perCall" in price && price.perCall === 0
    const most = this.#most
    return (
      !isFree &&
      most > 0 &&
      this.#accountsOf(event).some((id) => (this.#spent.get(id) ?? 0) >= most)
    )
  }

  follow(event: JudgedEvent, read: ReadOccurrences): boolean {
    const isViolated = this.#exceeds(event)
    const cost = this.#costOf(event) ?? 0
    if (cost > 0)
      for (const id of this.#accountsOf(event))
        this.#spent.set(id, (this.#spent.get(id) ?? 0) + cost)
    if (event.type !== "model.called" && event.type !== "model.responded") this.#restart(read())
    return isViolated
  }

  /**
   * Returns the amount that an event adds to the cost. Returns 0 for a model call whose cost is
   * known only after the response, and null for an event that does not affect the cost.
   */
  #costOf(event: JudgedEvent): number | null {
    if (event.type === "model.called") {
      const price = this.#priceOf(event)
      return price !== null && "perCall" in price ? price.perCall : 0
    }
    if (event.type !== "model.responded" || event.answer.usage === null) return null
    const price = this.#priceOf(event)
    const { inputTokens, outputTokens, cost } = event.answer.usage
    if (price === null) return cost ?? null
    return "perCall" in price
      ? null
      : (inputTokens * price.input + outputTokens * price.output) / 1_000_000
  }

  /**
   * Returns the ids of the agent runs (activations) to which the cost of an event is added. The id
   * `""` stands for the whole run.
   */
  #accountsOf({ agent, path }: JudgedEvent): readonly string[] {
    const { inside, per } = this.#policy
    if (inside === null && !("name" in per)) return wholeRun
    const within = this.#frames.of(path)
    if (inside !== null && !isInside(inside, { agent, within })) return []
    return "name" in per
      ? within.filter((frame) => frame.agent === per.name).map(({ id }) => id)
      : wholeRun
  }

  #exceeds(event: JudgedEvent): boolean {
    const cost = this.#costOf(event)
    if (cost === null) return false
    return this.#accountsOf(event).some((id) => (this.#spent.get(id) ?? 0) + cost > this.#most)
  }

  #restart(occurrences: readonly Occurrence[]): void {
    const { type } = this.#policy.per
    for (const { kind, activity } of occurrences) {
      if (kind === "message" && type === "invocation") this.#spent.set("", 0)
      const ends =
        type === "iteration" ? kind === "iterated" || kind === "finish" : kind === "finish"
      if (ends && activity !== undefined) this.#spent.delete(activity.id)
    }
  }
}

const wholeRun: readonly string[] = [""]
