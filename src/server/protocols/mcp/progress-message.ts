import type { RunEvent } from "../../../machines/contract/run-event.js"

/**
 * Returns the text of the MCP progress notification for a run event, for example `Agent writer
 * started`. Returns null for events that are not reported.
 */
export function progressMessage(event: RunEvent): string | null {
  switch (event.type) {
    case "agent.started":
      return `Agent ${event.agent} started`
    case "agent.finished":
      return event.outcome === "failed"
        ? `Agent ${event.agent} failed`
        : `Agent ${event.agent} finished`
    case "tool.called":
      return `Agent ${event.agent} calls tool ${event.tool}`
    case "handoff":
      return `Agent ${event.from} hands off to ${event.to}`
    case "loop.iterated":
      return `Loop ${event.agent}: iteration ${event.iteration}`
    case "parallel.expanded":
      return `Block ${event.agent} starts ${event.count} ${event.count === 1 ? "branch" : "branches"}`
    case "parallel.settled":
      return `Block ${event.agent}: ${event.successes} branches succeeded, ${event.cancelled.length} were cancelled`
    case "model.fallback":
      return `Agent ${event.agent} falls back to model ${event.to} after an error: ${event.error.message}`
    case "retry.scheduled":
      return `Agent ${event.agent} retries after an error: ${event.error.message}`
    case "warning":
      return event.message
    default:
      return null
  }
}
