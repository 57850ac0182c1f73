import { Hono } from "hono"
import * as z from "zod"
import type { RunEvent } from "../../../machines/contract/run-event.js"
import { taskGraphOf } from "../../../machines/contract/graphs/task-graph-of.js"
import { isJsonObject, isList } from "../../../machines/data/json-object.js"
import { parseBody } from "../../../serving/parse-request.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"

/**
 * Returns the field `results` or `nodes` of a task graph's session state. Returns an empty object
 * if the field is missing.
 */
const partOf = ({ result }: RunDetails, part: "results" | "nodes"): Record<string, unknown> => {
  const value = result.state[part]
  return isJsonObject(value) ? { ...value } : {}
}

const waitingNode = ({ pending }: RunDetails): string | null =>
  pending.find(({ kind, node, agent }) => kind === "approval" && node === agent)?.node ?? null

type Query = (details: RunDetails, node: string | undefined) => unknown

const queries: Readonly<Record<string, Query>> = {
  getExecutionState: ({ result: { state } }) => ({
    context: state["context"],
    executed: state["executed"],
    results: state["results"],
  }),
  getNodeResult: (details, node) => valueOf(partOf(details, "results"), node),
  getNodeState: (details, node) => valueOf(partOf(details, "nodes"), node),
  getWaitingConfirmationNodeId: waitingNode,
}

function valueOf(values: Readonly<Record<string, unknown>>, node: string | undefined): unknown {
  if (node === undefined)
    throw new HttpError(400, {
      code: "input_refused",
      message: "this query needs the id of a node in the query string, such as ?nodeId=charge",
    })
  return Object.hasOwn(values, node) ? values[node] : null
}

const confirmBody = z.looseObject({
  nodeId: z.string(),
  confirmed: z.boolean().optional(),
  reason: z.string().optional(),
})

/**
 * Creates the Graph Compose routes for runs of task graphs. They contain queries about the state of
 * a run, and the signal that confirms a node. The workflow id in the path is a run id.
 */
export function graphRoutes(runs: RunHub): Hono {
  const routes = new Hono()
  const graphRun = async (id: string): Promise<RunDetails> => {
    const details = await runs.details(id)
    if (taskGraphOf(details.chart) === null)
      throw new HttpError(404, {
        code: "unknown_route",
        message: `the run "${id}" is not a run of a graph; use the routes for agents (/adk/) instead`,
      })
    return details
  }
  routes.get("/:id/queries/:query", async (context) => {
    const { id: workflowId, query: queryName } = context.req.param()
    const query = Object.hasOwn(queries, queryName) ? queries[queryName] : undefined
    if (query === undefined)
      throw new HttpError(404, {
        code: "unknown_route",
        message: `the query "${queryName}" does not exist; use one of ${Object.keys(queries).join(", ")}`,
      })
    const queryResult = query(await graphRun(workflowId), context.req.query("nodeId"))
    return context.json({ success: true, data: { workflowId, queryName, queryResult } })
  })
  routes.post("/:id/signals/confirmNode", async (context) => {
    const { id: workflowId } = context.req.param()
    const { nodeId, confirmed = true, reason } = await parseBody(context.req.raw, confirmBody)
    const { pending } = await graphRun(workflowId)
    const request = pending.find(
      ({ kind, node, agent }) => kind === "approval" && node === nodeId && agent === nodeId,
    )
    if (request === undefined)
      throw new HttpError(409, {
        code: "request_unknown",
        message: `the node "${nodeId}" does not wait for a confirmation`,
      })
    await runs.give(
      workflowId,
      confirmed
        ? { type: "approve", id: request.id }
        : { type: "reject", id: request.id, ...(reason !== undefined && { reason }) },
    )
    return context.json({
      success: true,
      data: { workflowId, signalName: "confirmNode", signaled: true },
    })
  })
  routes.get("/:id/forEach/:nodeId/:index", async (context) => {
    const { id: workflowId, nodeId, index } = context.req.param()
    const child = childOf(await graphRun(workflowId), nodeId, Number(index))
    if (child === null)
      throw new HttpError(404, {
        code: "unknown_route",
        message: `the loop "${nodeId}" of the run "${workflowId}" has no child with the index ${index}`,
      })
    return context.json({ success: true, data: { workflowId, nodeId, child } })
  })
  return routes
}

/**
 * Returns the state of one iteration of a loop in a task graph. While the loop is running, reads
 * the results of the iteration from the events.
 */
function childOf(details: RunDetails, loop: string, index: number): unknown {
  const result = partOf(details, "results")[loop]
  const data = isJsonObject(result) ? result["data"] : undefined
  const items: unknown = isJsonObject(data) ? data["items"] : undefined
  if (isList(items)) return items[index] ?? null
  const events = details.events.filter(({ branch }) => branch === `${loop}.${index}`)
  if (events.length === 0) return null
  const isOpen = ["running", "waiting"].includes(details.result.status)
  return {
    index,
    status: isOpen ? "running" : "cancelled",
    results: Object.fromEntries(events.flatMap(resultIn)),
  }
}

const resultIn = (event: RunEvent): readonly (readonly [string, unknown])[] =>
  event.type === "node.finished" && event.node !== undefined && event.result !== undefined
    ? [[event.node, event.result]]
    : []
