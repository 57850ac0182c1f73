import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * Returns a request with the id of the graph node that contains the agent. Outside graph nodes,
 * returns the request unchanged.
 */
export const requestInNode = (request: PendingRequest, { node }: AgentChart): PendingRequest =>
  node === undefined ? request : { ...request, node }

/**
 * Returns an event whose request has the id of the graph node that contains the agent. Outside
 * graph nodes, returns the event unchanged.
 */
export const inNode = (event: EmittedEvent, chart: AgentChart): EmittedEvent =>
  chart.node !== undefined && (event.type === "human.asked" || event.type === "user.awaited")
    ? { ...event, request: requestInNode(event.request, chart) }
    : event
