import { matchesAny } from "../atom.js"
import type { Policy, PolicyActivity } from "../policy.js"
import type { JudgedEvent } from "./judged-event.js"
import type { ChartNames } from "./chart-names.js"
import { PathFrames } from "./path-frames.js"
import type { PolicyWatch, WatchedPolicy } from "./policy-watch.js"

/**
 * Compiles a `notTogether` policy about two agents that applies to the whole run. Returns null for
 * all other policies, which need another check.
 */
export function watchAgentsTogether(policy: Policy, names: ChartNames): WatchedPolicy | null {
  const { rule, per, inside } = policy
  if (rule.pattern !== "notTogether" || per.type !== "run" || inside !== null) return null
  const { activities } = rule
  if (activities.some(({ kind }) => kind === "call")) return null
  if (!activities.every((activity) => names.mayRun(activity.names)))
    return { policy, reading: () => "never", open: () => new TogetherWatch(activities, names) }
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
  /**
   * The paths of the running agents that match the policy. The list contains one set for each of
   * the two activities that a `notTogether` policy names.
   */
  readonly #open: readonly Set<string>[]
  /**
   * Number of running agents at or inside a path that match the `notTogether` policy. The key is
   * this path, which is the path of an agent.
   */
  readonly #inside = new Map<string, number>()

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
    for (const index of indexesOf(this.#activities, event.agent))
      for (const path of this.#open[1 - index] ?? [])
        if (!this.#isAround(path, event.path)) return true
    return false
  }

  follow(event: JudgedEvent): boolean {
    const { type, path, agent } = event
    if (type === "agent.started") {
      const isViolated = this.violates(event)
      if (!this.#isOpen(path)) this.#count(path, 1)
      for (const index of indexesOf(this.#activities, agent)) this.#open[index]?.add(path)
      return isViolated
    }
    if (type === "agent.finished" && this.#isOpen(path)) this.#end(path)
    // The agents inside an agent end with it, even if no event reports their end.
    if (this.#inside.has(path))
      for (const open of this.#open)
        for (const inner of open)
          if (inner !== path && this.#isAround(path, inner)) this.#end(inner)
    return false
  }

  #isOpen(path: string): boolean {
    return this.#open.some((open) => open.has(path))
  }

  #end(path: string): void {
    for (const open of this.#open) open.delete(path)
    this.#count(path, -1)
  }

  /** Adds `change` to the counts of an agent and of all agents that enclose it. */
  #count(path: string, change: 1 | -1): void {
    const frames = this.#frames.of(path)
    for (const { id } of frames) this.#add(id, change)
    // The last frame is this agent. Its id may lack the number that the path contains.
    if (frames.at(-1)?.id !== path) this.#add(path, change)
  }

  #add(id: string, change: 1 | -1): void {
    const count = (this.#inside.get(id) ?? 0) + change
    if (count > 0) this.#inside.set(id, count)
    else this.#inside.delete(id)
  }

  /** Returns whether the agent at `outer` encloses the agent at `path` or is the same agent. */
  #isAround(outer: string, path: string): boolean {
    return outer === path || this.#frames.of(path).some(({ id }) => id === outer)
  }
}

/** Returns the indexes of the activities whose name pattern matches an agent. */
const indexesOf = (activities: readonly PolicyActivity[], agent: string): readonly number[] =>
  activities.flatMap(({ names }, index) => (matchesAny(names, agent) ? [index] : []))
