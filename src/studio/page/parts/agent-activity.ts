import type { AgentProgress } from "../../../serving/display/agent-progress.js"
import {
  applyEvent,
  applyResult,
  isActive,
  newProgress,
} from "../../../serving/display/agent-progress.js"
import type { RunEvent } from "../../api.js"

/** Agents by their status after some events, and the transitions between them. */
export interface AgentActivity {
  /** Agents that have started a turn and not finished it. */
  readonly active: ReadonlySet<string>
  /** Active agents that wait for an answer. */
  readonly waiting: ReadonlySet<string>
  /** Agents that have finished at least one turn. */
  readonly finished: ReadonlySet<string>
  /** Agents whose last turn failed. */
  readonly failed: ReadonlySet<string>
  /** Transitions taken: from the agent that ended to the next agent in its branch. */
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/** Returns the activity of the agents after these events. */
export function agentActivity(events: readonly RunEvent[]): AgentActivity {
  const byPath = new Map<string, { readonly agent: string; readonly progress: AgentProgress }>()
  const finished = new Set<string>()
  const failed = new Set<string>()
  for (const event of events) {
    if (event.type === "run.finished")
      for (const { progress } of byPath.values()) applyResult(progress, event.result, event.at)
    const entry = byPath.get(event.path) ?? { agent: event.agent, progress: newProgress() }
    byPath.set(event.path, entry)
    applyEvent(entry.progress, event)
    if (event.type === "agent.started") failed.delete(event.agent)
    if (event.type === "agent.finished") finished.add(event.agent)
    if (event.type === "agent.finished" && event.outcome === "failed") failed.add(event.agent)
  }
  const agentsWhere = (holds: (progress: AgentProgress) => boolean): ReadonlySet<string> =>
    new Set([...byPath.values()].flatMap(({ agent, progress }) => (holds(progress) ? agent : [])))
  return {
    active: agentsWhere((progress) => progress.startedAt !== null && isActive(progress)),
    waiting: agentsWhere(({ status }) => status === "waiting"),
    finished,
    failed,
    transitions: transitionsOf(events),
  }
}

/** Returns each transition between two agents once, in the order in which they were first taken. */
function transitionsOf(events: readonly RunEvent[]): AgentActivity["transitions"] {
  const transitions = new Map<string, readonly [from: string, to: string]>()
  const add = (from: string, to: string): void =>
    void transitions.set(JSON.stringify([from, to]), [from, to])
  /** Agents that finished in a branch since the last one started there. */
  const lastFinished = new Map<string, readonly string[]>()
  for (const event of events) {
    const branch = event.branch ?? ""
    const previous = lastFinished.get(branch) ?? []
    if (event.type === "agent.started") {
      for (const from of previous) add(from, event.agent)
      lastFinished.delete(branch)
    } else if (event.type === "agent.finished")
      lastFinished.set(branch, [...previous.slice(-3), event.agent])
    else if (event.type === "handoff" || event.type === "edge.followed") add(event.from, event.to)
  }
  return [...transitions.values()]
}
