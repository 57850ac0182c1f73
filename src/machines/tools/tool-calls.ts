import { nextAttemptAt } from "../model-call/call-limits.js"
import type { ToolDefinition } from "../contract/tool-definition.js"
import { applyHooks } from "./apply-hooks.js"
import {
  announceAnswer,
  announceFinished,
  recordFinishedCall,
  failedCall,
  replaceCall,
  reportPaused,
  resultOf,
  settleCall,
  withChanges,
} from "./call-progress.js"
import type { Envelope } from "../contract/services.js"
import { assistantMessage, toolMessage } from "../model-call/conversation.js"
import {
  announceExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  expiredReason,
  onExpiryOf,
  stopExpiry,
} from "../requests/expiry.js"
import type { HookListOutput } from "../host-functions/hook-list.js"
import type { HostCodeOutput } from "../host-functions/host-code.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { locationOf, toolCallKey } from "../model-call/llm-agent-context.js"
import { asTicket, longRunningRequest } from "./long-running.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { applyPatch } from "../data/session-state.js"
import type { Guard, MachineEvent, Step, Update } from "../contract/machine-kind.js"
import { restartCall, startCall } from "./start-call.js"
import { valueOfText } from "../model-call/structured-output.js"
import { rejectCall } from "../model-call/tool-call-proposal.js"
import { applyActions } from "./tool-actions.js"
import { calledTool } from "../model-call/turn-tools.js"
import { resolveTransfers, transferOf } from "../model-call/transfer.js"
import type { TurnOutput } from "../contract/turn.js"
import { named } from "../contract/turn.js"

type Context = LlmAgentContext

/** Guards and updates of the state `callingTools`: every call is a child of its own, `tool.0`, `tool.1`. */
export const toolCallGuards: Readonly<Record<string, Guard<Context>>> = {
  callbackFailed: (context) => context.callbackError !== null,
  toolHitLimit: (context) => context.toolCalls.some((call) => call.limit !== null),
  exitsAfterCalls: (context) => context.open === 0 && context.answer?.exitFlow === true,
  escalatesAfterCalls: (context) =>
    context.open === 0 && (context.leavesLoop || context.answer?.escalate === true),
  handsOffAfterCalls: (context) => context.open === 0 && transferOf(context) !== null,
  toolAnswered: (context) =>
    context.open === 0 && context.toolCalls.some((call) => call.finalText !== null),
  asksUserAfterCalls: (context) => context.open === 0 && context.answer?.waitForUserInput === true,
  turnLimitReached: (context) => context.open === 0 && context.turnCalls >= context.maxTurnCalls,
  resultsAreIn: (context) => context.open === 0,
}

export const toolCallUpdates: Readonly<Record<string, Update<Context>>> = {
  startToolCalls: (context, _event, _params, step) => {
    resolveTransfers(context)
    context.open = 0
    for (const [index, call] of context.toolCalls.entries()) {
      if (call.status === "finished") announceFinished(context, call, step)
      else startCall(context, index, step)
    }
  },
  stopToolCalls: (context, _event, _params, step) => {
    for (const [index, call] of context.toolCalls.entries())
      if (call.status !== "finished") step.stop(`tool.${index}`)
  },
  applyToolResult: (context, event, _params, step) => {
    const index = Number((event["actorId"] as string).slice("tool.".length))
    const call = context.toolCalls[index]
    if (call === undefined) return
    const definition = calledTool(context, call.tool, step.chart)
    const output = event["output"]
    if (call.request !== null) {
      expireCall(context, index, call, call.request, event, step)
      reportPaused(context, step)
      return
    }
    if (call.stage !== "call") applyHooks(context, index, call, output as HookListOutput, step)
    else if (definition?.type === "AgentTool")
      applyTargetOutput(context, index, call, output as TurnOutput, definition, step)
    else if (definition?.type === "FunctionTool")
      applyFunctionOutput(context, index, call, output as HostCodeOutput, definition, step)
    else if (definition?.type === "HttpTool")
      applyEnvelope(context, index, call, output as Envelope, definition, step)
    reportPaused(context, step)
  },
  applyDelivery: onAnswer((context, index, call, event, step) => {
    announceAnswer(context, event, { result: event["result"] }, step)
    settleCall(
      context,
      index,
      { ...call, request: null },
      resultOf(event["result"], step.chart.dialect),
      step,
    )
  }),
  grantConsent: onAnswer((context, index, call, event, step) => {
    const { secret } = event["value"] as { readonly secret: string }
    announceAnswer(context, event, { secret }, step)
    restartCall(context, index, { ...call, request: null, grantedSecret: secret }, step)
  }),
  confirmCall: onAnswer((context, index, call, event, step) => {
    const args = (event["args"] as OpenCall["args"] | null) ?? call.args
    announceAnswer(
      context,
      event,
      { approved: true, ...(args === call.args ? {} : { args }) },
      step,
    )
    restartCall(
      context,
      index,
      { ...call, args, request: null, confirmed: true, startedAt: context.at },
      step,
    )
    if (args !== call.args)
      context.conversation = [
        ...context.conversation.slice(0, -1),
        assistantMessage(context.answer, context.toolCalls),
      ]
  }),
  refuseCall: onAnswer((context, index, call, event, step) => {
    const reason = (event["reason"] as string | null | undefined) ?? null
    announceAnswer(context, event, { approved: false, reason }, step)
    context.open = context.open - 1
    recordFinishedCall(context, index, rejectCall(call, reason), step)
  }),
  notePausedCall: (context, event, _params, step) => setCallStatus(context, event, "paused", step),
  noteResumedCall: (context, event, _params, step) =>
    setCallStatus(context, event, "running", step),
  failByToolCallback: (context) => {
    context.error = context.callbackError
  },
  /** The results go into the history and the state in call order, whatever order they came in. */
  collectResults: (context) => {
    keepFinishedCalls(context)
    if (context.toolCalls.length > 0)
      context.conversation = [...context.conversation, toolMessage(context.toolCalls)]
    const limit = context.toolCalls.find((call) => call.limit !== null)?.limit
    if (limit != null) context.error = limit
  },
}

/** An answer to the open request of a call: from a person, or the result of a long-running tool. */
function onAnswer(
  apply: (context: Context, index: number, call: OpenCall, event: MachineEvent, step: Step) => void,
): Update<Context> {
  return (context, event, _params, step) => {
    const index = context.toolCalls.findIndex((call) => call.request?.id === event["id"])
    const call = context.toolCalls[index]
    if (call === undefined) return
    context.at = event["at"] as number
    stopExpiry(step, `tool.${index}`, call.request)
    apply(context, index, call, event, step)
    reportPaused(context, step)
  }
}

/** Writes what the finished calls changed, in call order. */
export function keepFinishedCalls(context: Context): void {
  let state = context.state
  for (const call of context.toolCalls)
    state = applyPatch(state, { set: call.set, removed: call.removed })
  context.state = state
}

/** Long-running calls and consents that are open. */
export const toolCallPending = (context: Context): readonly PendingRequest[] =>
  context.toolCalls.flatMap((call) => (call.request === null ? [] : [call.request]))

function applyEnvelope(
  context: Context,
  index: number,
  call: OpenCall,
  envelope: Envelope,
  definition: Extract<ToolDefinition, { type: "HttpTool" }>,
  step: Step,
): void {
  context.at = envelope.at
  if (call.status === "backingOff") {
    restartCall(context, index, { ...call, attempt: call.attempt + 1 }, step)
    return
  }
  if (envelope.ok) {
    applyValue(context, index, call, envelope.value, definition.expiresInMs, step)
    return
  }
  const due = nextAttemptAt(
    definition.activity,
    call.attempt,
    call.startedAt,
    envelope.error,
    envelope.at,
  )
  if (due === null) {
    settleCall(
      context,
      index,
      call,
      failedCall(named(`tool "${call.tool}"`, envelope.error.message)),
      step,
    )
    return
  }
  replaceCall(context, index, { ...call, status: "backingOff" })
  step.emit({
    type: "retry.scheduled",
    of: toolCallKey(context, call, index),
    attempt: call.attempt + 1,
    until: due,
    error: envelope.error,
    ...locationOf(context.input),
  })
  step.start(`tool.${index}`, "sleepUntil", { until: due })
}

function applyTargetOutput(
  context: Context,
  index: number,
  call: OpenCall,
  output: TurnOutput,
  definition: Extract<ToolDefinition, { type: "AgentTool" }>,
  step: Step,
): void {
  context.at = output.at
  if (output.signal === "limited") {
    replaceCall(context, index, { ...call, limit: output.error })
    return
  }
  const failed = output.signal === "failed" || output.signal === "stopped"
  const text = output.text ?? ""
  const outputKey =
    !failed && definition.outputKey !== null && output.text !== null
      ? { [definition.outputKey]: output.text }
      : {}
  const changed: OpenCall = {
    ...withChanges(call, [output.patch]),
    finalText: !failed && definition.skipSummarization ? text : null,
  }
  const result = failed
    ? failedCall(output.error?.message ?? "the agent was stopped")
    : resultOf(valueOfText(definition.targetAgent, text, step), step.chart.dialect)
  settleCall(context, index, { ...changed, set: { ...changed.set, ...outputKey } }, result, step)
}

function applyFunctionOutput(
  context: Context,
  index: number,
  call: OpenCall,
  output: HostCodeOutput,
  definition: Extract<ToolDefinition, { type: "FunctionTool" }>,
  step: Step,
): void {
  context.at = output.at
  const changed = withChanges(call, output.changed)
  if (output.outcome !== "returned") {
    if (output.hasExpired) context.callbackError = output.error
    settleCall(
      context,
      index,
      changed,
      failedCall(named(`"${call.tool}"`, output.error?.message ?? "it was stopped")),
      step,
    )
    return
  }
  const acted = applyActions(context, changed, output)
  if (typeof acted === "string") settleCall(context, index, changed, failedCall(acted), step)
  else
    applyValue(
      context,
      index,
      acted,
      definition.longRunning === true ? asTicket(output.value) : output.value,
      definition.expiresInMs,
      step,
    )
}

/** A value that a tool gave: its result, or that the result will be delivered later. */
function applyValue(
  context: Context,
  index: number,
  call: OpenCall,
  value: unknown,
  expiresInMs: number | null,
  step: Step,
): void {
  const request = longRunningRequest(context, call, index, value, expiresInMs)
  if (request === null) {
    settleCall(context, index, call, resultOf(value, step.chart.dialect), step)
    return
  }
  replaceCall(context, index, { ...call, status: "waiting", request })
  step.emit({ type: "human.asked", request, ...locationOf(context.input) })
  awaitExpiry(step, `tool.${index}`, request)
}

/** Nobody has approved the call or delivered its result in time: the model is told, or the run fails. */
function expireCall(
  context: Context,
  index: number,
  call: OpenCall,
  request: PendingRequest,
  event: MachineEvent,
  step: Step,
): void {
  const definition = calledTool(context, call.tool, step.chart)
  const onExpiry = onExpiryOf(
    request.kind,
    definition !== undefined && "onExpiry" in definition ? definition : {},
  )
  const closed = { ...call, request: null }
  context.at = expiryTime(event)
  announceExpired(step, context.input, request.id, onExpiry)
  if (onExpiry === "fail") context.callbackError = expiredError(context.input.agent, request.id)
  if (request.kind === "approval") {
    context.open = context.open - 1
    recordFinishedCall(context, index, rejectCall(closed, expiredReason), step)
  } else settleCall(context, index, closed, failedCall(expiredReason), step)
}

function setCallStatus(
  context: Context,
  event: MachineEvent,
  status: "paused" | "running",
  step: Step,
): void {
  const index = Number((event["child"] as string).slice("tool.".length))
  const call = context.toolCalls[index]
  if (call === undefined || call.status === "finished") return
  replaceCall(context, index, { ...call, status })
  reportPaused(context, step)
}
