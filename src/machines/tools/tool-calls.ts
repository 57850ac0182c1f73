import {
  timeOf,
  reasonOf,
  editedArgumentsOf,
  childOf,
  doneIndexOf,
} from "../contract/machine-event.js"
import { applyCallOutput, expireCall } from "./call-output.js"
import {
  emitCallAnswered,
  emitToolFinished,
  recordFinishedCall,
  replaceCall,
  reportCallsPaused,
  resultOf,
  settleCall,
} from "./call-progress.js"
import { assistantMessage, toolMessage } from "../model-call/conversation.js"
import { stopExpiry } from "../requests/expiry.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { applyPatch } from "../data/session-state.js"
import type { Guard, Step, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { restartCall, startCall } from "./start-call.js"
import { rejectCall } from "../model-call/tool-call-proposal.js"
import { resolveTransfers, transferOf } from "../model-call/transfer.js"

type Context = LlmAgentContext

/**
 * Guards of the state `callingTools` of an LlmAgent's turn. In this state, every tool call runs in
 * a child actor, such as `tool.0` or `tool.1`.
 */
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
  callsFinished: (context) => context.open === 0,
}

/**
 * Actions of the state `callingTools` of an LlmAgent's turn, in which the tool calls of a response
 * run.
 */
export const toolCallUpdates: Readonly<Record<string, Update<Context>>> = {
  startToolCalls: (context, _event, _params, step) => {
    resolveTransfers(context)
    context.open = 0
    for (const [index, call] of context.toolCalls.entries()) {
      if (call.status === "finished") emitToolFinished(context, call, step)
      else startCall(context, index, step)
    }
  },
  stopToolCalls: (context, _event, _params, step) => {
    for (const [index, call] of context.toolCalls.entries())
      if (call.status !== "finished") step.stop(`tool.${index}`)
  },
  applyToolResult: (context, event, _params, step) => {
    const index = doneIndexOf(event, "tool.")
    const call = context.toolCalls[index]
    if (call === undefined) return
    if (call.request !== null) expireCall(context, index, call, call.request, event, step)
    else applyCallOutput(context, index, call, event, step)
    reportCallsPaused(context, step)
  },
  applyDelivery: onAnswer((context, index, call, event, step) => {
    emitCallAnswered(context, event, { result: event["result"] }, step)
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
    emitCallAnswered(context, event, { secret }, step)
    restartCall(context, index, { ...call, request: null, grantedSecret: secret }, step)
  }),
  confirmCall: onAnswer((context, index, call, event, step) => {
    const args = editedArgumentsOf(event) ?? call.args
    emitCallAnswered(context, event, { approved: true, ...(args !== call.args && { args }) }, step)
    restartCall(
      context,
      index,
      { ...call, args, request: null, isConfirmed: true, startedAt: context.at },
      step,
    )
    if (args !== call.args)
      context.conversation = [
        ...context.conversation.slice(0, -1),
        assistantMessage(context.answer, context.toolCalls),
      ]
  }),
  refuseCall: onAnswer((context, index, call, event, step) => {
    const reason = reasonOf(event)
    emitCallAnswered(context, event, { approved: false, reason }, step)
    context.open = context.open - 1
    recordFinishedCall(context, index, rejectCall(call, reason), step)
  }),
  setCallPaused: (context, event, _params, step) => setCallStatus(context, event, "paused", step),
  setCallResumed: (context, event, _params, step) => setCallStatus(context, event, "running", step),
  failToolCallback: (context) => {
    context.error = context.callbackError
  },
  /**
   * Adds the results of all tool calls to the conversation, and their state changes to the session
   * state, in call order.
   */
  collectResults: (context) => {
    applyCallChanges(context)
    if (context.toolCalls.length > 0)
      context.conversation = [...context.conversation, toolMessage(context.toolCalls)]
    const limit = context.toolCalls.find((call) => call.limit !== null)?.limit
    if (limit != null) context.error = limit
  },
}

/**
 * Creates an action that handles the answer to the pending request of a tool call. The answer is a
 * decision of a person, or the result of a long-running tool.
 */
function onAnswer(
  apply: (context: Context, index: number, call: OpenCall, event: MachineEvent, step: Step) => void,
): Update<Context> {
  return (context, event, _params, step) => {
    const index = context.toolCalls.findIndex((call) => call.request?.id === event["id"])
    const call = context.toolCalls[index]
    if (call === undefined) return
    context.at = timeOf(event)
    stopExpiry(step, `tool.${index}`, call.request)
    apply(context, index, call, event, step)
    reportCallsPaused(context, step)
  }
}

/**
 * Applies the state changes of all tool calls of a response to the session state, in call order.
 */
export function applyCallChanges(context: Context): void {
  let state = context.state
  for (const call of context.toolCalls)
    state = applyPatch(state, { set: call.set, removed: call.removed })
  context.state = state
}

/** Returns the pending requests of all tool calls of the current response. */
export const toolCallPending = (context: Context): readonly PendingRequest[] =>
  context.toolCalls.flatMap((call) => (call.request === null ? [] : [call.request]))

function setCallStatus(
  context: Context,
  event: MachineEvent,
  status: "paused" | "running",
  step: Step,
): void {
  const index = Number(childOf(event).slice("tool.".length))
  const call = context.toolCalls[index]
  if (call === undefined || call.status === "finished") return
  replaceCall(context, index, { ...call, status })
  reportCallsPaused(context, step)
}
