import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * Adds the id of the graph node to a pending request, in the field `node`. Returns the request
 * unchanged if the agents of `chart` do not run inside a graph node.
 */
export const requestInNode = (request: PendingRequest, { node }: AgentChart): PendingRequest =>
  node === undefined ? request : { ...request, node }

/**
 * If the agents of `chart` run inside a graph node, adds the id of this node to the pending request
 * that the event contains. Other events are returned unchanged.
 */
export const inNode = (event: EmittedEvent, chart: AgentChart): EmittedEvent =>
  chart.node !== undefined && (event.type === "human.asked" || event.type === "user.awaited")
    ? { ...event, request: requestInNode(event.request, chart) }
    : event
