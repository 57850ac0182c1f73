import type { JudgedEvent } from "../judged-event.js"

/** A run event that marks the start or the end of an agent. */
export type AgentBoundary = Extract<JudgedEvent, { type: "agent.started" | "agent.finished" }>

/**
 * Returns the branch of each running agent, by agent path. The agent that started first comes
 * first. The branch is null if the agent is not in a branch.
 */
export function runningAgents(
  events: readonly AgentBoundary[],
): ReadonlyMap<string, string | null> {
  const running = new Map<string, string | null>()
  for (const { type, path, branch } of events)
    if (type === "agent.started") running.set(path, branch)
    else running.delete(path)
  return running
}
