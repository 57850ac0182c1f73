import type { JudgedEvent } from "../judged-event.js"

/** The start or the end of an agent. */
export type AgentBoundary = Extract<JudgedEvent, { type: "agent.started" | "agent.finished" }>

/** Returns the agents that have started and not finished: their branches by path, oldest first. */
export function runningAgents(
  events: readonly AgentBoundary[],
): ReadonlyMap<string, string | null> {
  const running = new Map<string, string | null>()
  for (const { type, path, branch } of events)
    if (type === "agent.started") running.set(path, branch)
    else running.delete(path)
  return running
}
