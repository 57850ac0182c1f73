import type { Guard, Lookup, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { CallFailure } from "../contract/services.js"
import { emptyAnswer } from "../model-call/empty-answer.js"
import { runErrorOf } from "../contract/turn.js"
import type { CompactionPlan } from "../model-call/compaction-plan.js"
import { compactedTokens, planCompaction } from "../model-call/compaction-plan.js"
import { failureClassOf } from "../model-call/failure-class.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import { storeReportedTokens, storeSummary } from "../model-call/stored-summary.js"
import type { SummaryCall } from "../model-call/summary-call.js"
import {
  summarizerOfTurn,
  summarizerLocation,
  summaryKey,
  withoutMiddle,
} from "../model-call/summary-call.js"
import { applyHostChanges, envelopeOf } from "./model-call-updates.js"

type Context = LlmAgentContext

function planOf(context: Context, isRejected = false): CompactionPlan | null {
  const { compaction } = context.definition
  return compaction === undefined ? null : planCompaction(context, compaction, isRejected)
}

function startSummary(context: Context, plan: CompactionPlan | null): void {
  if (plan === null) return
  const startedAt = context.at
  context.compacting = { plan, key: summaryKey(context), attempt: 1, startedAt, retryAt: 0 }
}

/** Guards of the states in which an agent's conversation is summarized. */
export const compactionGuards: Readonly<Record<string, Guard<Context>>> = {
  needsSummary: (context) => planOf(context) !== null,
  isTooLong: (context, event) => {
    const envelope = envelopeOf(event)
    return (
      !envelope.ok &&
      context.shortened !== true &&
      failureClassOf(envelope.error) === "context_too_long" &&
      planOf(context, true) !== null
    )
  },
  wroteSummary: (_, event) => failureOf(event) === null,
  // The model is then called without a summary. This call reaches the same limit, which ends the
  // turn or asks a person to extend the budget.
  summaryIsOverLimit: (_, event) => failureOf(event)?.code === "limit_reached",
  summaryAttemptsAreLeft: (context, event, _params, lookup) =>
    nextSummaryAttempt(context, event, lookup) !== null,
}

/** Actions that request, retry and store the summary of a conversation. */
export const compactionUpdates: Readonly<Record<string, Update<Context>>> = {
  startSummary: (context) => startSummary(context, planOf(context)),
  /**
   * Starts a summary because the model rejected the last call as too long. The repeated call is not
   * counted in `turnCalls`, the number of model calls in the turn.
   */
  shortenConversation: (context, event) => {
    applyHostChanges(context, event)
    context.shortened = true
    context.fallsBack = true
    startSummary(context, planOf(context, true))
  },
  storeSummary: (context, event, _params, step) => {
    const envelope = envelopeOf(event)
    const call = callOf(context)
    if (!envelope.ok) return
    context.at = envelope.at
    const { content, usage } = envelope.value
    const { plan, key } = call
    step.emit({
      type: "model.responded",
      call: key,
      answer: { ...emptyAnswer, content, usage },
      ...summarizerLocation(context),
    })
    const text = content ?? ""
    const summary =
      text.length > plan.maxSummaryLength ? withoutMiddle(text, plan.maxSummaryLength) : text
    storeSummary(context, plan.to, summary)
    step.emit({
      type: "context.compacted",
      call: key,
      reason: plan.reason,
      messages: plan.to,
      kept: context.conversation.length - plan.to,
      tokensBefore: plan.tokens,
      tokensAfter: compactedTokens(context, plan, summary),
      ...locationOf(context.input),
    })
    context.compacting = null
    context.granted = null
  },
  skipSummary: (context, event) => {
    context.at = envelopeOf(event).at
    context.compacting = null
  },
  scheduleSummaryRetry: (context, event, _params, step) => {
    const call = callOf(context)
    const error = failureOf(event) ?? noText
    context.at = envelopeOf(event).at
    const retryAt = nextSummaryAttempt(context, event, step) ?? context.at
    context.compacting = { ...call, attempt: call.attempt + 1, retryAt }
    step.emit({
      type: "retry.scheduled",
      of: call.key,
      attempt: call.attempt + 1,
      until: retryAt,
      error,
      ...summarizerLocation(context),
    })
  },
  failSummary: (context, event) => {
    const { agent } = context.input
    const error = failureOf(event) ?? noText
    context.at = envelopeOf(event).at
    context.error = runErrorOf(agent, {
      ...error,
      message: `the conversation of agent "${agent}" could not be summarized: ${error.message}`,
    })
  },
}

/**
 * Names of the actions that apply a model's response. `reportingUpdates` changes these actions so
 * that they also store the token count of the response.
 */
const answerActions = ["applyAnswer", "applyFinalAnswer", "askForRepair", "failSchema"] as const

/**
 * Wraps the actions that apply a model's response. Each wrapped action first stores the number of
 * tokens that the response reports, and then runs the original action.
 */
export const reportingUpdates = (
  updates: Readonly<Record<string, Update<Context>>>,
): Readonly<Record<string, Update<Context>>> =>
  Object.fromEntries(
    answerActions.map((name): [string, Update<Context>] => [
      name,
      (context, event, params, step) => {
        const envelope = envelopeOf(event)
        if (envelope.ok) {
          storeReportedTokens(context, envelope.value)
          context.shortened = false
        }
        updates[name]?.(context, event, params, step)
      },
    ]),
  )

const noText: CallFailure = {
  code: "service_answer_malformed",
  message: "the response has no text",
  retryable: true,
}

/**
 * Returns the failure of a model call that writes a summary, or null if the response contains a
 * summary.
 */
function failureOf(event: MachineEvent): CallFailure | null {
  const envelope = envelopeOf(event)
  if (!envelope.ok) return envelope.error
  return (envelope.value.content ?? "").trim() === "" ? noText : null
}

function nextSummaryAttempt(context: Context, event: MachineEvent, lookup: Lookup): number | null {
  const failure = failureOf(event)
  const { attempt, startedAt } = callOf(context)
  const { activity } = summarizerOfTurn(context, lookup)
  return failure === null
    ? null
    : nextAttemptAt(activity, attempt, startedAt, failure, envelopeOf(event).at)
}

function callOf({ compacting }: Context): SummaryCall {
  if (compacting == null) throw new TypeError("no summary is being written")
  return compacting
}
