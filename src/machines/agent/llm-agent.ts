import { timeOf } from "../contract/machine-event.js"
import { answerGuards, answerUpdates, saveText } from "./answer-updates.js"
import { modelCallGuards, modelCallUpdates } from "./model-call-updates.js"
import { budgetGuards, budgetUpdates } from "./budget-request.js"
import { historyEntries } from "../contract/history.js"
import { adkInstructions } from "../model-call/instructions.js"
import { statePrompt } from "../model-call/state-prompt.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { llmAgentContext } from "../model-call/llm-agent-context.js"
import { modelCallInput } from "../model-call/model-call-input.js"
import { startTurnDeadline, turnDeadlineUpdates } from "../containers/deadline.js"
import { onExpiryOf } from "../requests/expiry.js"
import { pauseUpdates } from "./turn-pauses.js"
import type { OnExpiry } from "../contract/activity.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Outcome } from "../contract/run-event.js"
import { patchOf } from "../data/session-state.js"
import type { MachineKind } from "../contract/machine-kind.js"
import { transferOf } from "../model-call/transfer.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import {
  applyCallChanges,
  toolCallGuards,
  toolCallPending,
  toolCallUpdates,
} from "../tools/tool-calls.js"

type Context = LlmAgentContext

/**
 * The guards and actions of the XState config `llmAgentConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const llmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: llmAgentContext,
  dropsChildren: true,

  refill: (context) => {
    const { adk, byName } = context.definition
    if (context.instructions === null) return
    if (adk !== undefined) context.instructions = adkInstructions(context, adk)
    if (byName !== undefined) context.instructions = statePrompt(context, byName).instructions
  },

  guards: {
    ...answerGuards,
    ...modelCallGuards,
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
    limitTurn: (context, _event, _params, step) => {
      const { agent } = context.input
      context.error = {
        code: "limit_reached",
        agent,
        message: `agent "${agent}" reached maxModelCallsPerTurn (${step.chart.settings.maxModelCallsPerTurn}); increase the setting or make sure that the agent can finish`,
      }
    },
    stopTurn: (context, event) => {
      context.at = timeOf(event)
      if (context.open > 0) applyCallChanges(context)
    },
    transferConversation: (context) => {
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
    ...modelCallUpdates,
    ...answerUpdates,
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
    newEntries:
      context.input.history === null
        ? []
        : historyEntries(context.input.agent, context.conversation.slice(context.initialMessages)),
    escalates: false,
    at: context.at,
  }),

  pending: (context) => (context.request === null ? toolCallPending(context) : [context.request]),
}
