import { Hono } from "hono"
import * as z from "zod"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { parseBody } from "../../../serving/parse-request.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import { sessionEvents } from "./session-events.js"

const confirmationKinds: readonly PendingRequest["kind"][] = ["approval", "human"]

const confirmations = ({ pending }: RunDetails): readonly PendingRequest[] =>
  pending.filter(({ kind }) => confirmationKinds.includes(kind))

/**
 * Returns the number of the Graph Compose orchestration cycle in the path of an agent, for example
 * 2 for `desk@2/writer`. A path without a number belongs to cycle 1.
 */
const cycleOf = (path: string): number => Number(/^[^/]*@(\d+)/.exec(path)?.[1] ?? 1)

function orchestrationResult({ runId, events, result, pending }: RunDetails): object {
  const hasExited = events.some(
    (event) => event.type === "model.responded" && event.answer.exitFlow,
  )
  const waits = pending.some(({ kind }) => kind === "input")
  return {
    workflow_id: runId,
    final_response_text: result.text ?? "",
    session_state: result.state,
    error_details: result.error === null ? null : `${result.error.code}: ${result.error.message}`,
    internal_exit_flow: hasExited,
    exit_flow: hasExited,
    internal_wait_for_user_input: waits,
    wait_for_user_input: waits,
    orchestration_cycle_count: cyclesOf(events),
    terminated_by_global_limit: result.status === "limit",
    ...(result.toolFailures !== undefined && {
      tool_failures: result.toolFailures.map(({ tool, callId, message, agent, path }) => ({
        tool,
        call_id: callId,
        message,
        agent_id: agent,
        path,
      })),
    }),
  }
}

const cyclesOf = (events: RunDetails["events"]): number =>
  events.reduce(
    (most, event) => (event.type === "agent.started" ? Math.max(most, cycleOf(event.path)) : most),
    0,
  )

/** Returns the pending confirmations of a run by request id. Returns null if there are none. */
function pendingConfirmations(run: RunDetails): object | null {
  const requestedAt = new Map(
    run.events.flatMap((event) =>
      event.type === "human.asked" ? [[event.request.id, event.at] as const] : [],
    ),
  )
  const open = confirmations(run).map((request) => {
    const { id, kind, agent, prompt, details, toolCalls = [], choices, shown } = request
    return [
      id,
      {
        request_id: id,
        agent_id: agent,
        action: prompt ?? "",
        prompt,
        details: details ?? {},
        action_details: details ?? {},
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          function_name: call.name,
          function_args: call.args,
        })),
        requested_at: new Date(requestedAt.get(id) ?? run.startedAt).toISOString(),
        state: "pending",
        kind,
        ...(choices !== undefined && { choices }),
        ...(shown !== undefined && { shown_state: shown }),
      },
    ]
  })
  return open.length === 0 ? null : Object.fromEntries(open)
}

function invocationTrace(details: RunDetails): object {
  const { runId, chart, events, result } = details
  const finished = events.flatMap((event) =>
    event.type === "agent.finished"
      ? [
          {
            agent_id: event.agent,
            path: event.path,
            outcome: event.outcome,
            text: event.text,
            finished_at: new Date(event.at).toISOString(),
          },
        ]
      : [],
  )
  const userMessages = events.filter(
    (event) =>
      event.type === "user.said" || (event.type === "run.started" && event.prompt !== null),
  )
  return {
    orchestration_result: orchestrationResult(details),
    workflow_metadata: {
      workflow_id: runId,
      orchestration_cycle_count: cyclesOf(events),
      max_orchestration_cycles: chart.settings.maxOrchestrationCycles,
      conversation_end_requested: result.status === "completed" || result.status === "cancelled",
      user_message_count: userMessages.length,
      termination_status: result.status,
    },
    pending_confirmations: pendingConfirmations(details),
    orchestrator_info: { chart_id: chart.id, fingerprint: chart.fingerprint },
    state: result.state,
    execution_history: finished,
    agents_executed: [
      ...new Set(events.flatMap((event) => (event.type === "agent.started" ? [event.agent] : []))),
    ],
    tools_used: [
      ...new Set(events.flatMap((event) => (event.type === "tool.called" ? [event.tool] : []))),
    ],
  }
}

const queries: Readonly<Record<string, (details: RunDetails) => unknown>> = {
  get_latest_orchestration_result: orchestrationResult,
  get_session_events: sessionEvents,
  get_pending_confirmation_details: pendingConfirmations,
  is_waiting_for_confirmation: (details) => confirmations(details).length > 0,
  get_latest_invocation_trace: invocationTrace,
}

const record = z.record(z.string(), z.unknown())
/**
 * Schema of the request body that sends a user message. Clients use different field names for the
 * text of the message.
 */
const messageBody = z.looseObject({
  message: z.string().optional(),
  content: z.string().optional(),
  text: z.string().optional(),
  user_message: z.string().optional(),
})
const confirmationBody = z.looseObject({
  request_id: z.string().optional(),
  requestId: z.string().optional(),
  confirmed: z.boolean().optional(),
  approved: z.boolean().optional(),
  reason: z.string().optional(),
  modified_args: record.optional(),
  response: z.unknown().optional(),
})

/** Converts the body of a Graph Compose signal to a message for the run. */
type ReadSignal = (request: Request, details: RunDetails) => Promise<RunMessage>

const badInput = (message: string): never => {
  throw new HttpError(400, { code: "input_refused", message })
}

const signals: Readonly<Record<string, ReadSignal>> = {
  async receive_message(request) {
    const {
      message,
      content,
      text,
      user_message: userMessage,
    } = await parseBody(request, messageBody)
    return {
      type: "say",
      content:
        message ??
        content ??
        text ??
        userMessage ??
        badInput("the body of a message must have the field message, a string"),
    }
  },
  async confirm_action(httpRequest, details) {
    const body = await parseBody(httpRequest, confirmationBody)
    const id = body.request_id ?? body.requestId
    const open = confirmations(details)
    const request =
      id === undefined
        ? open.length === 1
          ? open[0]
          : undefined
        : open.find((one) => one.id === id)
    if (request === undefined) {
      const ids = open.map((one) => `"${one.id}"`).join(", ")
      throw new HttpError(409, {
        code: "request_unknown",
        message:
          ids === ""
            ? "no request of the run waits for a confirmation"
            : `send the request_id of one of the pending requests: ${ids}`,
      })
    }
    const isConfirmed =
      body.confirmed ??
      body.approved ??
      badInput("the body of a confirmation must have the field confirmed, true or false")
    if (request.kind === "human")
      return {
        type: "answer",
        id: request.id,
        value: body.response ?? {
          confirmed: isConfirmed,
          ...(body.reason !== undefined && { reason: body.reason }),
        },
      }
    if (!isConfirmed)
      return {
        type: "reject",
        id: request.id,
        ...(body.reason !== undefined && { reason: body.reason }),
      }
    return {
      type: "approve",
      id: request.id,
      ...(body.modified_args !== undefined && { args: body.modified_args }),
    }
  },
  end_conversation: async () => ({ type: "end" }),
}

/**
 * Creates the routes for the queries and signals of Graph Compose. The workflow id in the path is a
 * run id. The node id is ignored.
 */
export function graphComposeRoutes(runs: RunHub): Hono {
  const routes = new Hono()
  routes.get("/:id/adk/:nodeId/queries/:query", async (context) => {
    const { id: workflowId, nodeId, query: queryName } = context.req.param()
    const query = Object.hasOwn(queries, queryName) ? queries[queryName] : undefined
    if (query === undefined)
      throw new HttpError(404, {
        code: "unknown_route",
        message: `the query "${queryName}" does not exist; use one of ${Object.keys(queries).join(", ")}`,
      })
    const queryResult = query(await runs.details(workflowId))
    return context.json({ success: true, data: { workflowId, nodeId, queryName, queryResult } })
  })
  routes.post("/:id/adk/:nodeId/signals/:signal", async (context) => {
    const { id: workflowId, nodeId, signal: signalName } = context.req.param()
    const read = Object.hasOwn(signals, signalName) ? signals[signalName] : undefined
    if (read === undefined)
      throw new HttpError(404, {
        code: "unknown_route",
        message: `the signal "${signalName}" does not exist; use one of ${Object.keys(signals).join(", ")}`,
      })
    await runs.give(workflowId, await read(context.req.raw, await runs.details(workflowId)))
    return context.json({ success: true, data: { workflowId, nodeId, signalName, signaled: true } })
  })
  return routes
}
