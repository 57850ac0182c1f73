import type { JudgedEvent } from "../judged-event.js"

/** Returns whether an event changes the scopes of a run. */
export function changesScopes(event: JudgedEvent, isInside: boolean): boolean {
  switch (event.type) {
    case "agent.started":
    case "agent.finished":
      return event.kind !== "LlmAgent" || isInside
    case "tool.finished":
      return true
    default:
      return event.type === "edge.followed" || event.type === "parallel.joined"
  }
}
