import { sendPaused, sendResumed } from "../requests/report-paused.js"
import {
  timeOf,
  requestIdOf,
  messageTextOf,
  reasonOf,
  editedArgumentsOf,
} from "../contract/machine-event.js"
import { systemKey } from "../data/system-keys.js"
import { assistantMessage, decisionMessage } from "../model-call/conversation.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"
import {
  emitExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  expiredReason,
  onExpiryOf,
  stopExpiry,
} from "../requests/expiry.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { expiry } from "../contract/pending-request.js"
import { patchOf, readKey, writeKey } from "../data/session-state.js"
import type { Step, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { rejectCall, withEditedArguments } from "../model-call/tool-call-proposal.js"
import { proposedCall } from "../model-call/turn-tools.js"
import { contentOfMessage } from "../contract/user-content.js"

type Context = LlmAgentContext

/**
 * Actions for the pauses of an LlmAgent's turn. The turn waits for a person to approve tool calls,
 * or for a user message (docs/semantics.md#pending-requests).
 */
export const pauseUpdates: Readonly<Record<string, Update<Context>>> = {
  askForApproval: (context, _event, _params, step) => {
    const { answer } = context
    openRequest(context, step, {
      id: requestId(context),
      kind: "approval",
      ...locationOf(context.input),
      prompt: answer?.hitlRequest?.prompt ?? null,
      details: answer?.hitlRequest?.actionDetails ?? null,
      toolCalls: context.toolCalls.map((call) => proposedCall(context, call)),
      ...expiry(context.at, context.definition.expiresInMs),
    })
    notifyPaused(context, step, null)
  },
  awaitUser: (context, _event, _params, step) => {
    openRequest(context, step, {
      id: requestId(context),
      kind: "input",
      ...locationOf(context.input),
      prompt: context.text,
      details: null,
      ...expiry(context.at, context.definition.expiresInMs),
    })
    context.pausedText = context.text ?? context.pausedText ?? null
    notifyPaused(context, step, context.text)
  },
  closeRequest: (context, event, _params, step) => {
    const { request } = context
    context.request = null
    stopExpiry(step, "expiry", request)
    if (request === null || event.type === "run.stopped") return
    context.paused = false
    sendResumed(step)
  },
  applyApproval: (context, event, _params, step) => {
    const edited = editedArgumentsOf(event)
    context.at = timeOf(event)
    context.turnCalls = 0
    if (edited !== null && edited !== undefined) {
      context.toolCalls = withEditedArguments(context.toolCalls, edited)
      context.conversation = [
        ...context.conversation.slice(0, -1),
        assistantMessage(context.answer, context.toolCalls),
      ]
    }
    if (context.toolCalls.length === 0)
      context.conversation = [...context.conversation, decisionMessage(true, null)]
    emitAnswered(context, step, { approved: true, ...(edited != null && { args: edited }) })
  },
  applyRejection: (context, event, _params, step) => {
    const reason = reasonOf(event)
    context.at = timeOf(event)
    context.turnCalls = 0
    if (context.toolCalls.length === 0)
      context.conversation = [...context.conversation, decisionMessage(false, reason)]
    else context.toolCalls = context.toolCalls.map((call) => rejectCall(call, reason))
    emitAnswered(context, step, { approved: false, reason })
  },
  rejectExpired: (context, event, _params, step) => {
    expire(context, event, "approval", step)
    if (context.toolCalls.length === 0)
      context.conversation = [...context.conversation, decisionMessage(false, expiredReason)]
    else context.toolCalls = context.toolCalls.map((call) => rejectCall(call, expiredReason))
  },
  continueUnanswered: (context, event, _params, step) => {
    expire(context, event, "input", step)
    context.conversation = [
      ...context.conversation,
      { role: "user", content: "(The user did not answer in time.)" },
    ]
  },
  finishUnanswered: (context, event, _params, step) => expire(context, event, "input", step),
  failExpired: (context, event, _params, step) => {
    expire(context, event, context.answer?.hitlRequest == null ? "input" : "approval", step)
    context.error = expiredError(context.input.agent, requestId(context))
  },
  applyUserMessage: (context, event, _params, step) => {
    const text = messageTextOf(event)
    context.at = timeOf(event)
    context.turnCalls = 0
    context.conversation = [
      ...context.conversation,
      { role: "user", content: contentOfMessage(event) },
    ]
    const messageCount = readKey(context.state, systemKey.userMessageCount)
    context.state = writeKey(
      context.state,
      systemKey.userMessageCount,
      (typeof messageCount === "number" ? messageCount : 0) + 1,
    )
    step.emit({ type: "user.said", id: requestIdOf(event), text, ...locationOf(context.input) })
  },
}

/**
 * Returns the id of the turn's pending request, such as `desk#0`. The id contains the number of the
 * model call, so it does not change before the next model call.
 */
export const requestId = ({ input, calls }: Context): string => `${input.path}#${calls - 1}`

function expire(
  context: Context,
  event: MachineEvent,
  kind: "approval" | "input",
  step: Step,
): void {
  context.at = expiryTime(event)
  emitExpired(step, context.input, requestId(context), onExpiryOf(kind, context.definition))
}

export function openRequest(context: Context, step: Step, request: PendingRequest): void {
  context.request = request
  awaitExpiry(step, "expiry", request)
  step.emit({
    type: request.kind === "input" ? "user.awaited" : "human.asked",
    request,
    ...locationOf(context.input),
  })
}

export function emitAnswered(
  context: Context,
  step: Step,
  answer: Readonly<Record<string, unknown>>,
): void {
  step.emit({
    type: "human.answered",
    id: requestId(context),
    answer,
    ...locationOf(context.input),
  })
}

/**
 * Notifies the parent machine that this turn waits for a person. The notification contains the
 * state changes of the turn so far, and `text`, the text of the agent before the pause.
 */
export function notifyPaused(context: Context, step: Step, text: string | null): void {
  context.paused = true
  sendPaused(step, context.at, patchOf(context.state), text)
}
