import type { RunEvent } from "../../../machines/contract/run-event.js"

/** What people are told of an event while they wait; null where it says nothing to them. */
export function progressMessage(event: RunEvent): string | null {
  switch (event.type) {
    case "agent.started":
      return `${event.agent} begins`
    case "agent.finished":
      return event.outcome === "failed" ? `${event.agent} has failed` : `${event.agent} is done`
    case "tool.called":
      return `${event.agent} calls ${event.tool}`
    case "handoff":
      return `${event.from} hands over to ${event.to}`
    case "loop.iterated":
      return `${event.agent}: round ${event.iteration}`
    case "retry.scheduled":
      return `${event.agent} tries again: ${event.error.message}`
    case "warning":
      return event.message
    default:
      return null
  }
}
