import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * Adds the id of the graph node that contains the agent to a pending request, and returns the
 * request. Outside graph nodes, returns the request unchanged.
 */
export const requestInNode = (request: PendingRequest, { node }: AgentChart): PendingRequest =>
  node === undefined ? request : { ...request, node }

/**
 * Adds the id of the graph node that contains the agent to the request in an event, and returns the
 * event. Outside graph nodes, returns the event unchanged.
 */
export const inNode = (event: EmittedEvent, chart: AgentChart): EmittedEvent =>
  chart.node !== undefined && (event.type === "human.asked" || event.type === "user.awaited")
    ? { ...event, request: requestInNode(event.request, chart) }
    : event
