import { withoutPrivateKeys } from "../without-private-keys.js"
import { isPageRequest, pageToolsKey } from "../../../adapters/protocol/page-tools.js"
import { textStreamParts } from "../../../adapters/protocol/text-stream-parts.js"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { isHelper } from "../../../machines/model-call/helper-agents.js"
import type { RunEvent, RunResult } from "../../../machines/contract/run-event.js"

/**
 * An event of the protocol AG-UI 1.0. The tests validate events with the schemas of `@ag-ui/core`.
 */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Converts the events of a run to AG-UI events. It is stateful, so pass all events in order. */
export interface AgUiTranslation {
  /** Returns the AG-UI events for the next event of the run. */
  next(event: RunEvent): readonly AgUiEvent[]
  /**
   * Returns the AG-UI events that close all open messages and steps. AG-UI requires them before a
   * run ends.
   */
  end(): readonly AgUiEvent[]
}

/** Returns the id of a tool call for a web page. It is unique in the AG-UI thread. */
export const pageCallId = (path: string, id: string): string => `${path}:${id}`

/**
 * Creates a converter from run events to AG-UI events for one AG-UI run. `past` contains the events
 * of earlier AG-UI runs of the thread. A tool call that was already announced for an approval is
 * not announced again.
 */
export function agUiTranslation(past: readonly RunEvent[]): AgUiTranslation {
  const steps = new Set<string>()
  const announced = new Set<string>()
  const pageCalls = new Set<string>()
  const texts = textStreamParts<AgUiEvent>({
    begin: (messageId) => ({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }),
    grow: (messageId, delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta }),
    end: (messageId) => ({ type: "TEXT_MESSAGE_END", messageId }),
  })

  const announce = (
    path: string,
    id: string,
    name: string,
    args: unknown,
  ): readonly AgUiEvent[] => {
    const toolCallId = pageCallId(path, id)
    if (announced.has(toolCallId)) return []
    announced.add(toolCallId)
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName: name },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) },
      { type: "TOOL_CALL_END", toolCallId },
    ]
  }

  /** Finishes the AG-UI steps of cancelled parallel branches, which emit no further events. */
  const finishStepsInside = (block: string): readonly AgUiEvent[] =>
    [...steps]
      .reverse()
      .filter((step) => step.startsWith(`${block}/`) || step.startsWith(`${block}[`))
      .map((stepName) => {
        steps.delete(stepName)
        return { type: "STEP_FINISHED", stepName }
      })

  const next = (event: RunEvent): readonly AgUiEvent[] => {
    switch (event.type) {
      case "agent.started":
        if (steps.has(event.path)) return []
        steps.add(event.path)
        return [{ type: "STEP_STARTED", stepName: event.path }]
      case "agent.finished":
        return steps.delete(event.path) ? [{ type: "STEP_FINISHED", stepName: event.path }] : []
      case "model.delta":
        return texts.delta(event)
      case "model.responded":
        return isHelper(event.agent) ? [] : texts.responded(event)
      case "model.fallback":
      case "retry.scheduled":
        return texts.dropped(event.of)
      case "human.asked":
        if (isPageRequest(event.request))
          for (const { id } of event.request.toolCalls ?? [])
            pageCalls.add(pageCallId(event.request.path, id))
        return (event.request.toolCalls ?? []).flatMap(({ id, name, args }) =>
          announce(event.request.path, id, name, args),
        )
      case "tool.called":
        return announce(event.path, event.callId, event.tool, event.arguments)
      case "tool.finished": {
        const toolCallId = pageCallId(event.path, event.callId)
        // The page already has the results of the calls that it executed.
        if (!announced.has(toolCallId) || pageCalls.has(toolCallId)) return []
        return [
          {
            type: "TOOL_CALL_RESULT",
            messageId: `${event.runId}-${event.seq}`,
            toolCallId,
            content: JSON.stringify(event.response),
            role: "tool",
          },
        ]
      }
      case "handoff":
        return [{ type: "CUSTOM", name: "handoff", value: { from: event.from, to: event.to } }]
      case "parallel.expanded":
        return [
          {
            type: "CUSTOM",
            name: "parallel.expanded",
            value: { agent: event.agent, path: event.path, count: event.count },
          },
        ]
      case "parallel.settled": {
        const { agent, path, successes, failures, cancelled } = event
        const value = { agent, path, successes, failures, cancelled: [...cancelled] }
        return [{ type: "CUSTOM", name: "parallel.settled", value }]
      }
      case "parallel.joined":
        return event.dropped.length === 0 ? [] : finishStepsInside(event.path)
      case "warning":
        return [
          {
            type: "CUSTOM",
            name: "warning",
            value: { agent: event.agent, message: event.message },
          },
        ]
      default:
        return []
    }
  }
  for (const event of past) next(event)
  steps.clear()
  return {
    next,
    end() {
      const open = [...steps].reverse().map((stepName) => ({ type: "STEP_FINISHED", stepName }))
      steps.clear()
      return [...texts.end(), ...open]
    },
  }
}

const reasons: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "confirmation",
  human: "input_required",
  input: "input_required",
  auth: "authorization",
  tool: "tool_result",
}

function approvalSchema({ toolCalls = [] }: PendingRequest): object {
  const [only, ...others] = toolCalls
  const args =
    others.length === 0
      ? { description: "Arguments that replace the proposed ones.", ...only?.parameters }
      : {
          description: "Arguments that replace the proposed ones, by call id.",
          properties: Object.fromEntries(
            toolCalls.map(({ id, parameters }) => [id, { type: "object", ...parameters }]),
          ),
        }
  return {
    type: "object",
    required: ["approved"],
    properties: {
      approved: { type: "boolean" },
      args: { type: "object", ...args },
      reason: { type: "string" },
    },
  }
}

function responseSchema(request: PendingRequest): object {
  switch (request.kind) {
    case "approval":
      return approvalSchema(request)
    case "human":
      return request.answerSchema ?? {}
    case "input":
      return request.answerSchema ?? { type: "string" }
    case "auth":
      return {
        type: "object",
        required: ["secret"],
        properties: {
          secret: { type: "string", description: "The name of a secret, never its value." },
        },
      }
    case "tool":
      return {}
  }
}

function interruptOf(request: PendingRequest): object {
  const { id, kind, path, prompt, details, toolCalls = [], expiresAt, ...others } = request
  const { branch: _branch, answerSchema: _answerSchema, ...metadata } = others
  const [only] = toolCalls
  return {
    id,
    reason: kind === "approval" && only !== undefined ? "tool_call" : reasons[kind],
    ...(prompt !== null && { message: prompt }),
    ...(only !== undefined && toolCalls.length <= 1 && { toolCallId: pageCallId(path, only.id) }),
    responseSchema: responseSchema(request),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { kind, ...metadata, details: details ?? null, toolCalls },
  }
}

/**
 * Returns the last events of an AG-UI run. Call this function when the run has no call in flight.
 * If the run only waits for the next user message, the AG-UI run counts as finished.
 */
export function agUiEnd(
  { status, state, text, error, usage, toolFailures }: RunResult,
  pending: readonly PendingRequest[],
  ids: { readonly threadId: string; readonly runId: string },
): readonly AgUiEvent[] {
  const { [pageToolsKey]: _tools, ...shown } = withoutPrivateKeys(state)
  const snapshot: AgUiEvent = { type: "STATE_SNAPSHOT", snapshot: shown }
  if (status === "failed" || status === "limit")
    return [
      snapshot,
      {
        type: "RUN_ERROR",
        message: error?.message ?? `the run ended with the status ${status}`,
        ...(error !== null && { code: error.code }),
      },
    ]
  if (status === "running")
    return [
      snapshot,
      {
        type: "RUN_ERROR",
        message: "the server is stopping; the run continues with the next request",
        code: "run_suspended",
      },
    ]
  // The page executes calls of its own tools directly, so they cause no interrupt.
  const open = pending.filter((request) => !isPageRequest(request))
  const outcome =
    status === "cancelled"
      ? { type: "cancelled" }
      : open.some(({ kind }) => kind !== "input")
        ? { type: "interrupt", interrupts: open.map(interruptOf) }
        : { type: "success" }
  return [
    snapshot,
    {
      type: "RUN_FINISHED",
      ...ids,
      outcome,
      result: { text, ...(toolFailures !== undefined && { toolFailures }) },
      usage: [{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }],
    },
  ]
}
