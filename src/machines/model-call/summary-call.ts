import type { AgentChart } from "../contract/agent-chart.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import { linesOf } from "../contract/history.js"
import type { AgentLocation } from "../contract/run-event.js"
import type { Message } from "../contract/services.js"
import type { Lookup } from "../contract/machine-kind.js"
import type { CompactionPlan } from "./compaction-plan.js"
import { helperCall } from "./helper-call.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import type { ModelCall } from "./model-call-input.js"
import { storedSummary } from "./stored-summary.js"

/** The model call that writes a summary of a conversation, including its attempts. */
export interface SummaryCall {
  readonly plan: CompactionPlan
  /** Idempotency key of the model call. */
  readonly key: string
  /** Number of the current attempt. The first attempt has the number 1. */
  readonly attempt: number
  readonly startedAt: number
  /**
   * Time of the next attempt, in milliseconds since the epoch. Used only after a failed attempt.
   */
  readonly retryAt: number
}

type LlmDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * Returns the agent that summarizes another agent's conversation, or null if the conversation is
 * not summarized.
 */
export function summarizerIn(
  { agents }: Pick<AgentChart, "agents">,
  { compaction }: LlmDefinition,
): LlmDefinition | null {
  const summarizer = compaction === undefined ? undefined : agents[compaction.summarizer]
  return summarizer?.type === "LlmAgent" ? summarizer : null
}

/** Returns the settings of the agent that summarizes the conversation of this turn. */
export function summarizerOfTurn(
  { definition }: LlmAgentContext,
  { chart }: Lookup,
): LlmDefinition {
  const found = summarizerIn(chart, definition)
  if (found === null) throw new TypeError("the chart does not contain a summarizer")
  return found
}

/**
 * Returns the id, the path and the branch of the agent that summarizes the conversation of this
 * turn. Its path is below the path of the turn, such as `desk/summarizer:desk`.
 */
export function summarizerLocation({ definition, input }: LlmAgentContext): AgentLocation {
  const agent = definition.compaction?.summarizer ?? input.agent
  return { agent, path: `${input.path}/${agent}`, branch: input.branch }
}

/**
 * Returns the idempotency key of the model call that writes a summary, such as
 * `r1/desk/summarizer:desk#3`. It has the same number as the key of the agent's next model call,
 * such as `r1/desk#3`.
 */
export const summaryKey = (context: LlmAgentContext): string =>
  `${context.input.runId}/${summarizerLocation(context).path}#${context.calls}`

/** Returns the input of the actor `callModel` for the model call that writes a summary. */
export function summaryCallInput(context: LlmAgentContext, lookup: Lookup): ModelCall {
  const { input, state, compacting, granted } = context
  if (compacting == null) throw new TypeError("no summary is being written")
  const { plan, key, attempt, startedAt } = compacting
  const helper = summarizerOfTurn(context, lookup)
  const call = helperCall(
    {
      helper,
      location: { runId: input.runId, ...summarizerLocation(context) },
      messages: messagesOf(context, plan, helper.instructions ?? ""),
      state,
      iteration: input.iteration,
      key,
      attempt,
      startedAt,
    },
    lookup,
  )
  return granted?.call === context.calls ? { ...call, grants: granted.to } : call
}

function messagesOf(
  context: LlmAgentContext,
  { from, to, maxRequestLength }: CompactionPlan,
  instructions: string,
): readonly Message[] {
  const { summary } = storedSummary(context)
  const before = summary === null ? "" : `Summary of the earlier messages:\n${summary.text}\n\n`
  const room = maxRequestLength - instructions.length - before.length
  const texts = context.conversation.slice(from, to).map((message) => {
    const author = message.role === "user" ? "user" : context.input.agent
    return linesOf(author, message).join("\n")
  })
  return [
    { role: "system", content: instructions },
    { role: "user", content: `${before}Messages:\n${shortened(texts, room).join("\n")}` },
  ]
}

/** Minimum number of characters to which a message is shortened. */
const shortestMessage = 200

/**
 * Shortens texts to a total length of about `maxLength` characters, but never shortens a text to
 * less than 200 characters. Long texts lose their middle part.
 */
function shortened(texts: readonly string[], maxLength: number): readonly string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= maxLength) return texts
  // Texts below the average leave their remaining characters to the longer texts.
  const average = maxLength / texts.length
  const long = texts.filter((text) => text.length > average)
  const spare = texts.reduce((sum, text) => sum + Math.max(0, average - text.length), 0)
  const most = Math.max(shortestMessage, Math.floor(average + spare / long.length))
  return texts.map((text) => (text.length <= most ? text : withoutMiddle(text, most)))
}

/** Shortens a text by replacing its middle with `[...]`. Does not split a surrogate pair. */
export function withoutMiddle(text: string, length: number): string {
  const mark = "\n[...]\n"
  const half = Math.max(0, Math.floor((length - mark.length) / 2))
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/u, "")
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/u, "")
  return `${start}${mark}${end}`
}
