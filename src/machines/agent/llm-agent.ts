import type { Envelope, HostChanges, ModelAnswer } from "../contract/services.js"
import { nextAttemptAt } from "../model-call/call-limits.js"
import { budgetGuards, budgetUpdates } from "../human/budget-request.js"
import { assistantMessage } from "../model-call/conversation.js"
import { historyEntries } from "../contract/history.js"
import { refusedInput } from "../model-call/input-schema.js"
import { adkInstructions } from "../model-call/instructions.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { llmAgentContext, modelCallKey, locationOf } from "../model-call/llm-agent-context.js"
import { modelCallInput } from "../model-call/model-call-input.js"
import { startTurnDeadline, turnDeadlineUpdates } from "../containers/deadline.js"
import { onExpiryOf } from "../requests/expiry.js"
import { pauseUpdates } from "../human/pause-updates.js"
import type { OnExpiry } from "../contract/activity.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Outcome } from "../contract/run-event.js"
import { applyPatch, patchOf, writeKey } from "../data/session-state.js"
import type { Lookup, MachineEvent, MachineKind, Step } from "../contract/machine-kind.js"
import { isBlank, readStructured } from "../model-call/structured-output.js"
import { transferOf } from "../model-call/transfer.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { named, runErrorOf } from "../contract/turn.js"
import {
  keepFinishedCalls,
  toolCallGuards,
  toolCallPending,
  toolCallUpdates,
} from "../tools/tool-calls.js"
import { proposeCalls } from "../model-call/tool-call-proposal.js"

type Context = LlmAgentContext

const envelopeOf = (event: MachineEvent): Envelope<ModelAnswer> =>
  event["output"] as Envelope<ModelAnswer>

const answerOf = (event: MachineEvent): ModelAnswer | null => {
  const envelope = envelopeOf(event)
  return envelope.ok ? envelope.value : null
}

const endsTurn = (answer: ModelAnswer): boolean =>
  speaksFreely(answer) && !answer.exitFlow && !answer.escalate && !answer.waitForUserInput

/**
 * Returns how a final text violates the `outputSchema` of the agent, or null if the text is valid.
 */
function violationOf(
  { adk }: Context["definition"],
  { content }: ModelAnswer,
  lookup: Lookup,
): string | null {
  if (adk === undefined || adk.outputSchema === null || isBlank(content)) return null
  const read = readStructured(content, adk.outputSchema, lookup)
  return read.ok ? null : read.violation
}

const speaksFreely = (answer: ModelAnswer): boolean =>
  answer.toolCalls.length === 0 && answer.hitlRequest === null

/** Implements the guards and actions that `llmAgentConfig` names. */
export const llmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: llmAgentContext,
  dropsChildren: true,

  refill: (context) => {
    const { adk } = context.definition
    if (adk !== undefined && context.instructions !== null)
      context.instructions = adkInstructions(context, adk)
  },

  guards: {
    answersFinally: ({ definition }, event, _params, lookup) => {
      const answer = answerOf(event)
      return answer !== null && endsTurn(answer) && violationOf(definition, answer, lookup) === null
    },
    breaksSchemaOnce: ({ definition, repairs }, event, _params, lookup) => {
      const answer = answerOf(event)
      const mayRepair = definition.adk?.structuredOutputWithTools === true && repairs === 0
      return (
        mayRepair &&
        answer !== null &&
        endsTurn(answer) &&
        violationOf(definition, answer, lookup) !== null
      )
    },
    breaksSchema: ({ definition }, event, _params, lookup) => {
      const answer = answerOf(event)
      return answer !== null && endsTurn(answer) && violationOf(definition, answer, lookup) !== null
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
      return (
        nextAttemptAt(
          context.definition.activity,
          context.attempt,
          context.callStartedAt,
          envelope.error,
          envelope.at,
        ) !== null
      )
    },
    onExpiryIs: (
      { definition },
      _event,
      { kind, is }: { kind: PendingRequest["kind"]; is: OnExpiry },
    ) => onExpiryOf(kind, definition) === is,
    answersOpenRequest: (context, event) =>
      context.request !== null
        ? context.request.id === event["id"]
        : context.toolCalls.some(
            (call) => call.request !== null && call.request.id === event["id"],
          ),
    ...toolCallGuards,
    ...budgetGuards,
  },

  updates: {
    startTurn: (context, _event, _params, step) => {
      const { agent, path, branch } = context.input
      step.emit({ type: "agent.started", kind: "LlmAgent", agent, path, branch })
      startTurnDeadline(context, step)
    },
    countModelCall: (context, _event, _params, step) => {
      if (context.failure === null) {
        context.calls = context.calls + 1
        context.turnCalls = context.turnCalls + 1
        context.attempt = 1
        context.callStartedAt = context.at
        context.callKey = modelCallKey(context)
      } else {
        context.attempt = context.attempt + 1
        context.failure = null
      }
      const { adk } = context.definition
      if (adk !== undefined)
        context.instructions =
          refusedInput(context.input, adk, step) ?? adkInstructions(context, adk)
    },
    applyAnswer: (context, event, _params, step) => applyAnswer(context, event, step),
    applyFinalAnswer: (context, event, _params, step) => {
      applyAnswer(context, event, step)
      endTurn(context, step)
    },
    askForRepair: (context, event, _params, step) => {
      applyAnswer(context, event, step)
      context.repairs = context.repairs + 1
      const violation =
        context.answer === null ? "" : violationOf(context.definition, context.answer, step)
      const content = `Your answer breaks the schema that it has to follow: ${violation}. Answer again with JSON that follows it, and nothing else.`
      context.conversation = [...context.conversation, { role: "user", content }]
    },
    failSchema: (context, event, _params, step) => {
      applyAnswer(context, event, step)
      const { agent } = context.input
      const violation =
        context.answer === null ? "" : violationOf(context.definition, context.answer, step)
      context.error = {
        code: "schema_violated",
        agent,
        message: `the response of agent "${agent}" does not match its output schema: ${violation}`,
      }
    },
    endTurn: (context, _event, _params, step) => endTurn(context, step),
    noteTime: (context, event) => {
      context.at = envelopeOf(event).at
    },
    scheduleRetry: (context, event, _params, step) => {
      const envelope = envelopeOf(event)
      if (envelope.ok) return
      const due = nextAttemptAt(
        context.definition.activity,
        context.attempt,
        context.callStartedAt,
        envelope.error,
        envelope.at,
      )
      keepHostChanges(context, event)
      context.failure = envelope.error
      context.retryAt = due ?? envelope.at
      step.emit({
        type: "retry.scheduled",
        of: context.callKey,
        attempt: context.attempt + 1,
        until: context.retryAt,
        error: envelope.error,
        ...locationOf(context.input),
      })
    },
    failTurn: (context, event) => {
      const envelope = envelopeOf(event)
      keepHostChanges(context, event)
      if (envelope.ok) return
      const { agent } = context.input
      context.error = runErrorOf(agent, {
        ...envelope.error,
        message: named(`agent "${agent}"`, envelope.error.message),
      })
    },
    keepOverrun: (context, event) => {
      const envelope = envelopeOf(event)
      keepHostChanges(context, event)
      context.overrun = envelope.ok ? null : envelope.error
    },
    limitTurn: (context, _event, _params, step) => {
      const { agent } = context.input
      context.error = {
        code: "limit_reached",
        agent,
        message: `agent "${agent}" reached maxModelCallsPerTurn (${step.chart.settings.maxModelCallsPerTurn}); increase the setting or make sure that the agent can finish`,
      }
    },
    stopTurn: (context, event) => {
      context.at = event["at"] as number
      if (context.open > 0) keepFinishedCalls(context)
    },
    leaveForTransfer: (context) => {
      context.handoffTo = transferOf(context)
      context.text = null
    },
    endTurnWithToolResult: (context, _event, _params, step) => {
      const answered = context.toolCalls.findLast((call) => call.finalText !== null)
      context.text = answered?.finalText ?? null
      context.answeredByTool = true
      saveText(context, step)
    },
    finishTurn: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      const { error, text } = context
      const { agent, path, branch } = context.input
      const outcome = params.signal
      if (error === null)
        step.emit({
          type: "agent.finished",
          kind: "LlmAgent",
          outcome,
          text,
          agent,
          path,
          branch,
        })
      else
        step.emit({
          type: "agent.finished",
          kind: "LlmAgent",
          outcome,
          text,
          error,
          agent,
          path,
          branch,
        })
    },
    ...pauseUpdates,
    ...turnDeadlineUpdates,
    ...budgetUpdates,
    ...toolCallUpdates,
  },

  childInput: (context, src, _config, step) =>
    src === "sleepUntil" ? { until: context.retryAt } : modelCallInput(context, step),

  output: (context) => ({
    signal: context.signal ?? "stopped",
    text: context.text,
    lastText: context.text ?? context.pausedText ?? null,
    patch: patchOf(context.state),
    handoffTo: context.handoffTo,
    error: context.error,
    answeredByTool: context.answeredByTool,
    memory: context.input.remember
      ? { conversation: context.conversation, calls: context.calls }
      : null,
    spoken:
      context.input.history === null
        ? []
        : historyEntries(context.input.agent, context.conversation.slice(context.heard)),
    escalates: false,
    at: context.at,
  }),

  pending: (context) => (context.request === null ? toolCallPending(context) : [context.request]),
}

/** Applies the state changes and the escalation of the callbacks around a call. */
export function keepHostChanges(context: Context, event: MachineEvent): void {
  const {
    changed = [],
    escalates,
    at,
  } = event["output"] as {
    readonly changed?: readonly HostChanges[]
    readonly escalates?: boolean
    readonly at: number
  }
  context.at = at
  if (escalates === true) context.escalatesAtEnd = true
  if (changed.length > 0) context.state = changed.reduce(applyPatch, context.state)
}

function applyAnswer(context: Context, event: MachineEvent, step: Step): void {
  keepHostChanges(context, event)
  const envelope = envelopeOf(event)
  if (!envelope.ok) return
  context.at = envelope.at
  context.answer = envelope.value
  context.toolCalls = proposeCalls(context, envelope.value)
  if (envelope.value.content !== null || context.toolCalls.length > 0) {
    context.conversation = [
      ...context.conversation,
      assistantMessage(envelope.value, context.toolCalls),
    ]
  }
  const { agent, path, branch } = context.input
  step.emit({
    type: "model.responded",
    call: context.callKey,
    answer: envelope.value,
    agent,
    path,
    branch,
  })
}

/**
 * Ends the turn with the text of its last response. `null` writes no output key; `""` is written.
 */
function endTurn(context: Context, step: Step): void {
  context.text = context.answer?.content ?? null
  saveText(context, step)
}

/**
 * Writes the final text to the output key. With an output schema, writes the parsed value instead.
 */
export function saveText(context: Context, step: Step): void {
  const { outputKey, adk } = context.definition
  const schema = adk?.outputSchema ?? null
  if (outputKey === null || context.text === null) return
  if (schema !== null && isBlank(context.text)) return
  const read = schema === null ? null : readStructured(context.text, schema, step)
  context.state = writeKey(context.state, outputKey, read?.ok === true ? read.value : context.text)
}
