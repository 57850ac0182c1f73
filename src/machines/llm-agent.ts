import type { Envelope, Message, ModelAnswer, ModelRequest } from "./contract.js"
import { limitsOf, nextAttemptAt } from "./activity.js"
import { assistantMessage, hitlOutcomeMessage, systemMessage } from "./conversation.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import { llmAgentContext, modelCallIdentity, placeOf, withLazyState } from "./llm-agent-context.js"
import type { PendingRequest } from "./pending-request.js"
import { expiry } from "./pending-request.js"
import type { Outcome } from "./run-event.js"
import { patchOf, readKey, writeKey } from "./session-state.js"
import type { MachineEvent, MachineKind, Step } from "./step.js"
import type { TurnInput, TurnOutput } from "./turn.js"
import { named, runErrorOf } from "./turn.js"
import { keepFinishedCalls, toolCallGuards, toolCallPending, toolCallUpdates } from "./tool-calls.js"
import { proposeCalls, rejectCalls, withEditedArguments } from "./tool-call-proposal.js"

type Context = LlmAgentContext

const envelopeOf = (event: MachineEvent): Envelope<ModelAnswer> => event["output"] as Envelope<ModelAnswer>

const answerOf = (event: MachineEvent): ModelAnswer | null => {
  const envelope = envelopeOf(event)
  return envelope.ok ? envelope.value : null
}

const speaksFreely = (answer: ModelAnswer): boolean => answer.toolCalls.length === 0 && answer.hitlRequest === null

/** The functions behind the names of `llmAgentConfig`. */
export const llmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: llmAgentContext,

  guards: {
    answersFinally: (_, event) => {
      const answer = answerOf(event)
      return answer !== null && speaksFreely(answer) && !answer.exitFlow && !answer.escalate && !answer.waitForUserInput
    },
    asksForApproval: (_, event) => answerOf(event)?.hitlRequest != null,
    callsTools: (_, event) => {
      const answer = answerOf(event)
      return answer !== null && answer.toolCalls.length > 0 && answer.hitlRequest === null
    },
    exits: (_, event) => answerOf(event)?.exitFlow === true,
    escalates: (_, event) => answerOf(event)?.escalate === true,
    asksUser: (_, event) => answerOf(event)?.waitForUserInput === true,
    modelCallLimitReached: (_, event) => {
      const envelope = envelopeOf(event)
      return !envelope.ok && envelope.error.code === "limit_reached"
    },
    attemptsAreLeft: (context, event) => {
      const envelope = envelopeOf(event)
      if (envelope.ok) return false
      return nextAttemptAt(context.definition.activity, context.attempt, context.callStartedAt, envelope.error, envelope.at) !== null
    },
    answersOpenRequest: (context, event) =>
      context.request !== null
        ? context.request.id === event["id"]
        : context.toolCalls.some((call) => call.request !== null && call.request.id === event["id"]),
    ...toolCallGuards,
  },

  updates: {
    startTurn: (context, _event, _params, step) => {
      step.announce({ ...placeOf(context.input), type: "agent.started", kind: "LlmAgent" })
    },
    countModelCall: (context, _event, _params, step) => {
      if (context.failure === null) {
        context.calls = context.calls + 1
        context.turnCalls = context.turnCalls + 1
        context.attempt = 1
        context.callStartedAt = context.at
      } else {
        context.attempt = context.attempt + 1
        context.failure = null
      }
      step.announce({
        ...placeOf(context.input),
        type: "model.called",
        call: modelCallIdentity(context).idempotencyKey,
        attempt: context.attempt,
        messages: context.conversation.length,
        tools: context.definition.declarations.map((declaration) => declaration.function.name),
      })
    },
    applyAnswer: (context, event, _params, step) => applyAnswer(context, event, step),
    applyFinalAnswer: (context, event, _params, step) => {
      applyAnswer(context, event, step)
      endTurn(context)
    },
    endTurn: (context) => endTurn(context),
    noteTime: (context, event) => {
      context.at = envelopeOf(event).at
    },
    scheduleRetry: (context, event, _params, step) => {
      const envelope = envelopeOf(event)
      if (envelope.ok) return
      const due = nextAttemptAt(context.definition.activity, context.attempt, context.callStartedAt, envelope.error, envelope.at)
      context.at = envelope.at
      context.failure = envelope.error
      context.retryAt = due ?? envelope.at
      step.announce({
        ...placeOf(context.input),
        type: "retry.scheduled",
        of: modelCallIdentity(context).idempotencyKey,
        attempt: context.attempt + 1,
        until: context.retryAt,
        error: envelope.error,
      })
    },
    failTurn: (context, event) => {
      const envelope = envelopeOf(event)
      context.at = envelope.at
      if (envelope.ok) return
      const { agent } = context.input
      context.error = runErrorOf(agent, { ...envelope.error, message: named(`agent "${agent}"`, envelope.error.message) })
    },
    limitTurn: (context, _event, _params, step) => {
      const { agent } = context.input
      context.error = {
        code: "limit_reached",
        agent,
        message: `agent "${agent}" reached maxModelCallsPerTurn (${step.chart.settings.maxModelCallsPerTurn}); raise the setting or give it a way to finish`,
      }
    },
    askForApproval: (context, _event, _params, step) => {
      const { answer } = context
      ask(context, step, {
        id: `${context.input.path}#${context.calls - 1}`,
        kind: "approval",
        ...placeOf(context.input),
        prompt: answer?.hitlRequest?.prompt ?? null,
        details: answer?.hitlRequest?.actionDetails ?? null,
        toolCalls: context.toolCalls.map(({ id, tool, args }) => ({ id, name: tool, args })),
        ...expiry(context.at, context.definition.expiresInMs),
      })
      tellPaused(context, step, null)
    },
    awaitUser: (context, _event, _params, step) => {
      ask(context, step, {
        id: `${context.input.path}#${context.calls - 1}`,
        kind: "input",
        ...placeOf(context.input),
        prompt: context.text,
        details: null,
        ...expiry(context.at, context.definition.expiresInMs),
      })
      tellPaused(context, step, context.text)
    },
    closeRequest: (context, event, _params, step) => {
      const { request } = context
      context.request = null
      if (request === null || event.type === "run.stopped") return
      context.paused = false
      step.tellParent({ type: "child.resumed" })
    },
    applyApproval: (context, event, _params, step) => {
      const edited = event["args"] as Readonly<Record<string, unknown>> | null
      context.at = event["at"] as number
      context.turnCalls = 0
      if (edited !== null && edited !== undefined) {
        context.toolCalls = withEditedArguments(context.toolCalls, edited)
        context.conversation = [...context.conversation.slice(0, -1), assistantMessage(context.answer, context.toolCalls)]
      }
      if (context.toolCalls.length === 0) context.conversation = [...context.conversation, hitlOutcomeMessage(true, null)]
      announceAnswered(context, step, { approved: true, ...(edited == null ? {} : { args: edited }) })
    },
    applyRejection: (context, event, _params, step) => {
      const reason = (event["reason"] as string | null | undefined) ?? null
      context.at = event["at"] as number
      context.turnCalls = 0
      if (context.toolCalls.length === 0) context.conversation = [...context.conversation, hitlOutcomeMessage(false, reason)]
      else context.toolCalls = rejectCalls(context.toolCalls, reason)
      announceAnswered(context, step, { approved: false, reason })
    },
    hearUser: (context, event, _params, step) => {
      const text = event["text"] as string
      context.at = event["at"] as number
      context.turnCalls = 0
      context.conversation = [...context.conversation, { role: "user", content: text }]
      const heard = readKey(context.state, "_user_message_count")
      context.state = writeKey(context.state, "_user_message_count", (typeof heard === "number" ? heard : 0) + 1)
      step.announce({ ...placeOf(context.input), type: "user.said", id: event["id"] as string, text })
    },
    stopTurn: (context, event) => {
      context.at = event["at"] as number
      if (context.open > 0) keepFinishedCalls(context)
    },
    leaveForTransfer: (context) => {
      context.text = null
    },
    endTurnWithToolResult: (context) => {
      const answered = context.toolCalls.findLast((call) => call.finalText !== null)
      context.text = answered?.finalText ?? null
      context.answeredByTool = true
      saveText(context)
    },
    finishTurn: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      step.announce({
        ...placeOf(context.input),
        type: "agent.finished",
        kind: "LlmAgent",
        outcome: params.signal,
        text: context.text,
      })
    },
    ...toolCallUpdates,
  },

  childInput(context, src, _config, step): unknown {
    if (src === "sleepUntil") return { until: context.retryAt }
    const { definition, input } = context
    const system = systemMessage(definition)
    const messages: readonly Message[] = system === null ? context.conversation : [system, ...context.conversation]
    const request: Omit<ModelRequest, "state"> = {
      ...modelCallIdentity(context),
      model: definition.model,
      endpoint: definition.endpoint,
      messages,
      tools: definition.declarations,
      context: step.chart.context,
    }
    return {
      request: withLazyState(request, context.state, input.iteration),
      ...limitsOf(definition.activity, context.callStartedAt),
    }
  },

  output: (context) => ({
    signal: context.signal ?? "stopped",
    text: context.text,
    lastText: context.text,
    patch: patchOf(context.state),
    handoffTo: context.handoffTo,
    error: context.error,
    answeredByTool: context.answeredByTool,
    memory: context.input.remember ? { conversation: context.conversation, calls: context.calls } : null,
    at: context.at,
  }),

  pending: (context) => (context.request === null ? toolCallPending(context) : [context.request]),
}

function applyAnswer(context: Context, event: MachineEvent, step: Step): void {
  const envelope = envelopeOf(event)
  if (!envelope.ok) return
  context.at = envelope.at
  context.answer = envelope.value
  context.toolCalls = proposeCalls(context, envelope.value)
  if (envelope.value.content !== null || context.toolCalls.length > 0) {
    context.conversation = [...context.conversation, assistantMessage(envelope.value, context.toolCalls)]
  }
  step.announce({
    ...placeOf(context.input),
    type: "model.responded",
    call: modelCallIdentity(context).idempotencyKey,
    answer: envelope.value,
  })
}

/** The final text of the turn is that of its last response; `null` writes nothing, `""` is written. */
function endTurn(context: Context): void {
  context.text = context.answer?.content ?? null
  saveText(context)
}

function saveText(context: Context): void {
  const { outputKey } = context.definition
  if (outputKey !== null && context.text !== null) context.state = writeKey(context.state, outputKey, context.text)
}

function ask(context: Context, step: Step, request: PendingRequest): void {
  context.request = request
  step.announce({ ...placeOf(context.input), type: request.kind === "input" ? "user.awaited" : "human.asked", request })
}

function announceAnswered(context: Context, step: Step, answer: Readonly<Record<string, unknown>>): void {
  step.announce({ ...placeOf(context.input), type: "human.answered", id: `${context.input.path}#${context.calls - 1}`, answer })
}

/** Tells the parent that nothing moves here until a person acts, with what has been written so far. */
function tellPaused(context: Context, step: Step, text: string | null): void {
  context.paused = true
  step.tellParent({ type: "child.paused", patch: patchOf(context.state), text, at: context.at })
}
