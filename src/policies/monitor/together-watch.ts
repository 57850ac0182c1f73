import { matchesAny } from "../atom.js"
import type { Policy, PolicyActivity } from "../policy.js"
import type { JudgedEvent } from "./judged-event.js"
import type { ChartNames } from "./chart-names.js"
import { PathFrames } from "./path-frames.js"
import type { PolicyWatch, WatchedPolicy } from "./policy-watch.js"

/**
 * Compiles a `notTogether` policy about two agents that applies to the whole run. Returns null for
 * all other policies.
 */
export function watchAgentsTogether(policy: Policy, names: ChartNames): WatchedPolicy | null {
  const { rule, per, inside } = policy
  if (rule.pattern !== "notTogether" || per.type !== "run" || inside !== null) return null
  const { activities } = rule
  if (activities.some(({ kind }) => kind === "call")) return null
  return {
    policy,
    reading(event) {
      if (event.type === "agent.started")
        return indexesOf(activities, event.agent).length > 0 ? "always" : "never"
      const ends = event.type === "agent.finished" || event.type === "parallel.joined"
      return ends ? "whileActive" : "never"
    },
    open: () => new TogetherWatch(activities, names),
  }
}

class TogetherWatch implements PolicyWatch {
  readonly #activities: readonly PolicyActivity[]
  readonly #frames: PathFrames
  /** The paths of the running agents that match each of the two activities. */
  readonly #open: readonly Set<string>[]
  /** For each agent path: the paths of the matching agents that run at this path or inside it. */
  readonly #inside = new Map<string, Set<string>>()

  constructor(activities: readonly PolicyActivity[], names: ChartNames) {
    this.#frames = new PathFrames(names)
    this.#activities = activities
    this.#open = activities.map(() => new Set())
  }

  get isActive(): boolean {
    return this.#inside.size > 0
  }

  violates(event: JudgedEvent): boolean {
    if (event.type !== "agent.started" || !this.isActive) return false
    const around = new Set(this.#around(event.path))
    for (const index of indexesOf(this.#activities, event.agent))
      for (const path of this.#open[1 - index] ?? []) if (!around.has(path)) return true
    return false
  }

  follow(event: JudgedEvent): boolean {
    const { type, path, agent } = event
    if (type === "agent.started") {
      const isViolated = this.violates(event)
      for (const index of indexesOf(this.#activities, agent)) this.#open[index]?.add(path)
      for (const around of this.#around(path)) {
        const inside = this.#inside.get(around)
        if (inside === undefined) this.#inside.set(around, new Set([path]))
        else inside.add(path)
      }
      return isViolated
    }
    // The agents inside an agent end with it, also without an event of their own.
    for (const ended of this.#inside.get(path) ?? [])
      if (ended !== path || type === "agent.finished") this.#end(ended)
    return false
  }

  #end(path: string): void {
    for (const open of this.#open) open.delete(path)
    for (const around of this.#around(path)) {
      const inside = this.#inside.get(around)
      inside?.delete(path)
      if (inside?.size === 0) this.#inside.delete(around)
    }
  }

  /** Returns the path of an agent and the paths of its enclosing agents, outermost first. */
  #around(path: string): readonly string[] {
    const ids = this.#frames.of(path).map(({ id }) => id)
    // The id of the agent's own frame may have no number.
    return ids.at(-1) === path ? ids : ids.concat(path)
  }
}

/** Returns the indexes of the activities whose names match an agent. */
const indexesOf = (activities: readonly PolicyActivity[], agent: string): readonly number[] =>
  activities.flatMap(({ names }, index) => (matchesAny(names, agent) ? [index] : []))
