import type { RunEvent } from "../../machines/contract/run-event.js"
import type { AgentProgress } from "./agent-progress.js"
import { applyEvent, applyResult, isActive, newProgress } from "./agent-progress.js"

/**
 * Agents of a run, grouped by status, and the transitions between them. Computed from the events
 * that an `ActivityTracker` has received so far.
 */
export interface AgentActivity {
  /** Agents that have started a turn but have not finished it. */
  readonly active: ReadonlySet<string>
  /** Active agents that wait for an answer. */
  readonly waiting: ReadonlySet<string>
  /** Agents that have finished at least one turn. */
  readonly finished: ReadonlySet<string>
  /** Agents whose last turn failed. */
  readonly failed: ReadonlySet<string>
  /**
   * Pairs of agents between which the run has moved. In a branch, `from` is an agent that ended,
   * and `to` is the next agent that started.
   */
  readonly transitions: readonly (readonly [from: string, to: string])[]
  /** Number of turns of each agent that has started. For a loop, the number of its iterations. */
  readonly rounds: ReadonlyMap<string, number>
  /**
   * Containers that have ended, and the end of the whole run. Each combination of values is listed
   * only once.
   */
  readonly ends: readonly ContainerEnd[]
}

/** The end of a container agent, such as a loop, or of the whole run. */
export interface ContainerEnd {
  /** Agent that ended last inside the container or the run. */
  readonly last: string
  /** Id of the container. Null for the end of the run. */
  readonly container: string | null
  /** Outcome of the container or the run, for example `completed` or `failed`. */
  readonly outcome: string
}

interface FinishedAgent {
  readonly agent: string
  readonly path: string
}

/**
 * Computes the activity of agents incrementally from the events of a run. Each event is processed
 * only once.
 */
export class ActivityTracker {
  /** Progress of each agent whose turn has not ended, by agent path. */
  readonly #turns = new Map<string, { readonly agent: string; readonly progress: AgentProgress }>()
  readonly #finished = new Set<string>()
  readonly #failed = new Set<string>()
  /** Transitions without duplicates, in the order in which the run first took them. */
  readonly #transitions = new Map<string, readonly [from: string, to: string]>()
  /**
   * For each branch, the agents that have finished since an agent last started there. The next
   * agent that starts in the branch completes a transition from each of them.
   */
  readonly #lastFinished = new Map<string, readonly FinishedAgent[]>()
  readonly #rounds = new Map<string, number>()
  readonly #ends = new Map<string, ContainerEnd>()
  /**
   * The first agent that started, and the outcome of its latest turn. Null before the first agent
   * has started.
   */
  #root: { readonly agent: string; outcome: string } | null = null

  /** Processes the next event of the run. */
  apply(event: RunEvent): void {
    if (event.type === "run.finished") {
      for (const { progress } of this.#turns.values()) applyResult(progress, event.result, event.at)
      this.#turns.clear()
      if (this.#root !== null && event.result.status !== "cancelled")
        this.#addEnd(this.#root.agent, null, this.#root.outcome)
      return
    }
    this.#applyToAgent(event)
    this.#applyToTransitions(event)
  }

  /** Returns the activity of agents after all events so far. */
  activity(): AgentActivity {
    const turns = [...this.#turns.values()]
    const agentsWhere = (holds: (progress: AgentProgress) => boolean): ReadonlySet<string> =>
      new Set(turns.flatMap(({ agent, progress }) => (holds(progress) ? agent : [])))
    return {
      active: agentsWhere(({ startedAt }) => startedAt !== null),
      waiting: agentsWhere(({ status }) => status === "waiting"),
      finished: new Set(this.#finished),
      failed: new Set(this.#failed),
      transitions: [...this.#transitions.values()],
      rounds: new Map(this.#rounds),
      ends: [...this.#ends.values()],
    }
  }

  #applyToAgent(event: RunEvent): void {
    const { agent, path } = event
    const { progress } = this.#turns.get(path) ?? { progress: newProgress() }
    applyEvent(progress, event)
    if (isActive(progress)) this.#turns.set(path, { agent, progress })
    else this.#turns.delete(path)
    if (isStart(event)) {
      this.#root ??= { agent, outcome: "completed" }
      this.#failed.delete(agent)
      this.#rounds.set(agent, (this.#rounds.get(agent) ?? 0) + 1)
    }
    if (event.type === "loop.iterated") this.#rounds.set(agent, event.iteration + 1)
    if (isEnd(event)) this.#finished.add(agent)
    if (isFailure(event)) this.#failed.add(agent)
  }

  #applyToTransitions(event: RunEvent): void {
    const branch = event.branch ?? ""
    const previous = this.#lastFinished.get(branch) ?? []
    if (isStart(event)) {
      for (const { agent: from } of previous) this.#addTransition(from, event.agent)
      this.#lastFinished.delete(branch)
    } else if (isEnd(event)) {
      this.#applyToEnds(event, previous)
      const { agent, path } = event
      this.#lastFinished.set(branch, [...previous.slice(-3), { agent, path }])
    }
    if (event.type === "handoff" || event.type === "edge.followed")
      this.#addTransition(event.from, event.to)
  }

  #applyToEnds(event: RunEvent, previous: readonly FinishedAgent[]): void {
    if (event.type !== "agent.finished") return
    if (event.agent === this.#root?.agent) this.#root.outcome = event.outcome
    const last = previous.findLast(
      ({ path }) => path.startsWith(`${event.path}/`) || path.startsWith(`${event.path}[`),
    )
    if (last !== undefined) this.#addEnd(last.agent, event.agent, event.outcome)
  }

  #addEnd(last: string, container: string | null, outcome: string): void {
    this.#ends.set(JSON.stringify([last, container, outcome]), { last, container, outcome })
  }

  #addTransition(from: string, to: string): void {
    this.#transitions.set(JSON.stringify([from, to]), [from, to])
  }
}

const isStart = ({ type }: RunEvent): boolean => type === "agent.started" || type === "node.started"

/** Returns whether an event is the end of an agent or of a node in a task graph. */
const isEnd = (event: RunEvent): boolean =>
  event.type === "agent.finished" || (event.type === "node.finished" && event.state !== undefined)

const isFailure = (event: RunEvent): boolean =>
  (event.type === "agent.finished" && event.outcome === "failed") ||
  (event.type === "node.finished" && event.state === "executed_and_failed")
