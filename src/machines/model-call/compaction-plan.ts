import type { Compaction, CompactionReason } from "../contract/compaction.js"
import { isWrittenByUser } from "../contract/history.js"
import type { AssistantPart, Message, ToolPart } from "../contract/services.js"
import type { UserPart } from "../contract/user-content.js"
import { systemText } from "./conversation.js"
import type { Instructions } from "./instructions.js"
import { adkInstructions } from "./instructions.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import { statePrompt } from "./state-prompt.js"
import { storedSummary, summaryMessage } from "./stored-summary.js"
import { declarationsOf } from "./turn-tools.js"

/**
 * Describes the next summary of a conversation. It contains the messages that the summary replaces
 * and the maximum lengths.
 */
export interface CompactionPlan {
  /** The reason why the messages are summarized. */
  readonly reason: CompactionReason
  /**
   * Index of the first message that the summarizer reads. With `overlap`, the summarizer also reads
   * messages that an earlier summary has already replaced.
   */
  readonly from: number
  /**
   * Index of the first message that the summary does not replace. All earlier messages of the
   * conversation are replaced.
   */
  readonly to: number
  /** Maximum length of the summarizer's request, in characters. */
  readonly maxRequestLength: number
  /** Maximum length of the new summary, in characters. */
  readonly maxSummaryLength: number
  /** Estimated number of tokens that the next model call would have without the new summary. */
  readonly tokens: number
  /** Estimated number of tokens per character of the conversation. */
  readonly tokensPerCharacter: number
}

/**
 * Determines which messages must be summarized before the next model call. Returns null if the call
 * has at most `maxTokens` tokens and the user has sent at most `interval` messages since the last
 * summary. If the model rejected the call as too long, the maximum is half of the call's tokens.
 *
 * The number of tokens is estimated from the number of characters. The ratio comes from the last
 * request whose number of tokens the model reported. Without such a report, four characters count
 * as one token.
 */
export function planCompaction(
  context: LlmAgentContext,
  compaction: Compaction,
  isRejected: boolean,
): CompactionPlan | null {
  const { maxTokens = unlimited, keepMessages = unlimited, overlap = 0 } = compaction
  const { conversation } = context
  const { summary, reported } = storedSummary(context)
  const from = summary?.messages ?? 0
  const fixed = fixedLength(context)
  const before = summary === null ? 0 : lengthOf(summaryMessage(summary.text))
  const known = conversation.slice(from, Math.max(from, reported?.messages ?? from))
  const knownLength = fixed + before + lengthOfAll(known)
  const tokensPerCharacter =
    reported === null || reported.messages < from
      ? 1 / charactersPerToken
      : clamp(reported.tokens / knownLength)
  const length = knownLength + lengthOfAll(conversation.slice(from + known.length))
  const tokens = Math.ceil(length * tokensPerCharacter)
  const most = isRejected ? Math.min(maxTokens, tokens) / 2 : maxTokens
  const limit = Math.min(unlimited, Math.floor(most / tokensPerCharacter))
  const room = limit - fixed
  if (room <= 0) return null
  const isTooLong = length > limit
  if (isRejected && !isTooLong) return null
  const to = isTooLong
    ? startOfRest(conversation, from, room / 2, keepMessages)
    : endOfInterval(conversation, from, compaction)
  if (to <= from) return null
  return {
    reason: isRejected ? "context_too_long" : isTooLong ? "max_tokens" : "interval",
    from: overlap === 0 ? from : startOfOverlap(conversation, from, overlap),
    to,
    maxRequestLength: limit,
    maxSummaryLength: Math.max(shortestSummary, Math.floor(room / 4)),
    tokens,
    tokensPerCharacter,
  }
}

/**
 * Returns the estimated number of tokens of the next model call after `summary` has replaced the
 * oldest messages of the conversation.
 */
export function compactedTokens(
  context: LlmAgentContext,
  { to, tokensPerCharacter }: CompactionPlan,
  summary: string,
): number {
  const rest = lengthOf(summaryMessage(summary)) + lengthOfAll(context.conversation.slice(to))
  return Math.ceil((fixedLength(context) + rest) * tokensPerCharacter)
}

/**
 * Value of a limit that is not set. `Infinity` is not possible, because a plan is stored as JSON.
 */
const unlimited = Number.MAX_SAFE_INTEGER

/**
 * Returns the end of the messages to summarize, according to the setting `interval`. If there are
 * more than `interval` user messages from the index `from` on, returns the index of the last of
 * them. Otherwise, returns `from`, because nothing must be summarized. The messages before `from`
 * are already summarized.
 */
function endOfInterval(
  conversation: readonly Message[],
  from: number,
  { interval }: Compaction,
): number {
  if (interval === undefined) return from
  let messages = 0
  let last = from
  for (let index = from; index < conversation.length; index++) {
    const message = conversation[index]
    if (message === undefined || !isWrittenByUser(message)) continue
    messages += 1
    last = index
  }
  return messages > interval ? last : from
}

/**
 * Goes back from the index `from` by `overlap` user messages. Returns the index of the earliest of
 * these messages. Returns 0 if there are fewer user messages before `from`.
 */
function startOfOverlap(conversation: readonly Message[], from: number, overlap: number): number {
  let messages = 0
  let index = from
  while (index > 0 && messages < overlap) {
    index -= 1
    const message = conversation[index]
    if (message !== undefined && isWrittenByUser(message)) messages += 1
  }
  return index
}

const charactersPerToken = 4

/**
 * Limits the measured number of tokens per character to the range from 1/16 to 2, because a service
 * may report wrong numbers.
 */
const clamp = (tokensPerCharacter: number): number =>
  Math.min(2, Math.max(1 / 16, tokensPerCharacter))

const shortestSummary = 400

/**
 * Returns the index of the first message that is not summarized. At most `maxMessages` messages
 * with at most `maxLength` characters are not summarized, but the last message never is. A tool
 * result is never separated from its call.
 */
function startOfRest(
  conversation: readonly Message[],
  from: number,
  maxLength: number,
  maxMessages: number,
): number {
  let start = conversation.length
  let length = 0
  for (let index = start - 1; index >= from; index--) {
    const message = conversation[index]
    if (message === undefined) break
    length += lengthOf(message)
    const isFirst = start === conversation.length
    const fits = length <= maxLength && conversation.length - index <= maxMessages
    if (!isFirst && !fits) break
    if (message.role !== "tool") start = index
  }
  return start
}

/**
 * Returns the number of characters of the instructions and tool declarations in a model request. A
 * summary cannot reduce this part of the request.
 */
function fixedLength(context: LlmAgentContext): number {
  const instructions = instructionsOf(context)
  const texts = instructions.ok ? [instructions.system, instructions.opening] : []
  const declarations = declarationsOf(context)
  return (
    texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) +
    (declarations.length === 0 ? 0 : JSON.stringify(declarations).length)
  )
}

function instructionsOf(context: LlmAgentContext): Instructions {
  const { adk, byName } = context.definition
  if (adk !== undefined) return adkInstructions(context, adk)
  if (byName !== undefined) return statePrompt(context, byName).instructions
  return { ok: true, system: systemText(context.definition), opening: null }
}

/**
 * Assumed length of an image or a file, in characters. Its size in bytes is not used, because its
 * number of tokens does not depend on it.
 */
const lengthOfData = 4000

/**
 * Assumed number of characters for the role and the JSON structure of a message, without its
 * content.
 */
const lengthOfFrame = 16

const lengthOfAll = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + lengthOf(message), 0)

function lengthOf({ content }: Message): number {
  if (typeof content === "string") return lengthOfFrame + content.length
  return content.reduce(
    (sum: number, part: AssistantPart | ToolPart | UserPart) => sum + lengthOfPart(part),
    lengthOfFrame,
  )
}

function lengthOfPart(part: AssistantPart | ToolPart | UserPart): number {
  if ("text" in part) return part.text.length
  if ("inline_data" in part || "file_data" in part) return lengthOfData
  return JSON.stringify(part).length
}
