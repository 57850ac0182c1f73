import { nextAttemptAt } from "../model-call/retry-policy.js"
import type { ToolDefinition } from "../contract/tool-definition.js"
import { applyHooks } from "./apply-hooks.js"
import {
  recordFinishedCall,
  failedCall,
  replaceCall,
  resultOf,
  settleCall,
  withChanges,
} from "./call-progress.js"
import type { Envelope } from "../contract/services.js"
import {
  emitExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  expiredReason,
  onExpiryOf,
} from "../requests/expiry.js"
import type { HookListOutput } from "../host-functions/hook-list.js"
import type { HostFunctionOutput } from "../host-functions/host-function.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { locationOf, toolCallKey } from "../model-call/llm-agent-context.js"
import { asTicket, longRunningRequest } from "./long-running.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Step } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { restartCall } from "./start-call.js"
import { valueOfText } from "../model-call/structured-output.js"
import { rejectCall } from "../model-call/tool-call-proposal.js"
import { applyActions } from "./tool-actions.js"
import { calledTool } from "../model-call/turn-tools.js"
import type { TurnOutput } from "../contract/turn.js"
import { withSubject } from "../contract/turn.js"

type Context = LlmAgentContext

/**
 * Continues a tool call after one of its child actors has ended. The child actor ran the call
 * itself, its policies or its callbacks. For example, the output of the call becomes its result.
 */
export function applyCallOutput(
  context: Context,
  index: number,
  call: OpenCall,
  event: MachineEvent,
  step: Step,
): void {
  const definition = calledTool(context, call.tool, step.chart)
  const output = event["output"]
  if (call.stage !== "call") applyHooks(context, index, call, output as HookListOutput, step)
  else if (definition?.type === "AgentTool")
    applyTargetOutput(context, index, call, output as TurnOutput, definition, step)
  else if (definition?.type === "FunctionTool")
    applyFunctionOutput(context, index, call, output as HostFunctionOutput, definition, step)
  else if (definition?.type === "HttpTool")
    applyEnvelope(context, index, call, output as Envelope, definition, step)
}

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
      failedCall(withSubject(`tool "${call.tool}"`, envelope.error.message)),
      step,
    )
    return
  }
  replaceCall(context, index, { ...call, status: "backingOff" })
  step.emit({
    type: "retry.scheduled",
    of: toolCallKey(context, call, index),
    callId: call.id,
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
  output: HostFunctionOutput,
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
      failedCall(withSubject(`"${call.tool}"`, output.error?.message ?? "it was stopped")),
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

/**
 * Applies the value that a tool returned. The value is the result of the call, or a ticket for a
 * result that is delivered later.
 */
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

/**
 * Handles the expiry of a tool call's pending request. Depending on `onExpiry`, returns an error to
 * the model or fails the run.
 */
export function expireCall(
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
  emitExpired(step, context.input, request.id, onExpiry)
  if (onExpiry === "fail") context.callbackError = expiredError(context.input.agent, request.id)
  if (request.kind === "approval") {
    context.open = context.open - 1
    recordFinishedCall(context, index, rejectCall(closed, expiredReason), step)
  } else settleCall(context, index, closed, failedCall(expiredReason), step)
}
