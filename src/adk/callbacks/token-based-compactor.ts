import { isJsonObject } from "../../machines/data/json-object.js"
import { textHash } from "../../machines/data/text-hash.js"
import { refuse } from "../common/refuse.js"
import type { Context } from "../context/context.js"
import type { BaseSummarizer } from "../events/compacted-event.js"
import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import type { BaseContextCompactor } from "./context-compactor.js"
import type { LlmRequest, LlmResponse } from "./llm-request.js"
import { summaryKeyOf } from "./summary-key.js"

export interface TokenBasedContextCompactorOptions {
  /**
   * Maximum number of tokens of a request. If the last request had more tokens, old contents are
   * summarized before the next request. The response to the last request contains its number of
   * tokens. If this number is unknown, four characters count as one token.
   */
  readonly tokenThreshold: number
  /** Minimum number of contents at the end of the conversation that are not summarized. */
  readonly eventRetentionSize: number
  readonly summarizer: BaseSummarizer
}

/** The summary of the oldest contents of a conversation, as it is stored in the session state. */
interface StoredSummary {
  /** Number of contents (ADK messages) that the summary replaces. 0 if there is no summary. */
  readonly count: number
  /**
   * Hash of the summarized contents. If the conversation starts with other contents, the summary is
   * not used.
   */
  readonly hash: number
  readonly text: string
  /** Number of tokens of the last model request. Null if the number is unknown. */
  readonly tokens: number | null
}

/**
 * A compactor that replaces the oldest contents of a conversation with a summary if a request has
 * too many tokens. Each summary is a recorded step. The session stores the summary, and later
 * requests reuse it.
 *
 * @throws AgentStatechartsError `definition_refused` if an option is negative or not a finite
 * number.
 */
export class TokenBasedContextCompactor implements BaseContextCompactor {
  readonly #threshold: number
  readonly #retained: number
  readonly #summarizer: BaseSummarizer

  constructor(options: TokenBasedContextCompactorOptions) {
    const { tokenThreshold, eventRetentionSize, summarizer } = options
    for (const number of [tokenThreshold, eventRetentionSize])
      if (!Number.isFinite(number) || number < 0)
        refuse(
          `A TokenBasedContextCompactor has the number ${number}.`,
          "Pass numbers that are 0 or greater.",
        )
    this.#threshold = tokenThreshold
    this.#retained = eventRetentionSize
    this.#summarizer = summarizer
  }

  shouldCompact({ contents }: LlmRequest, context: Context): boolean {
    const stored = storedSummary(contents, context)
    return stored.count > 0 || this.#summarizedUpTo(contents, stored) > stored.count
  }

  async compact({ contents }: LlmRequest, context: Context): Promise<void> {
    const stored = storedSummary(contents, context)
    const count = this.#summarizedUpTo(contents, stored)
    let { text } = stored
    if (count > stored.count) {
      const events = contents.slice(stored.count, count).map((one) => eventOf(one, context))
      if (stored.count > 0) events.unshift(eventOf(summaryContent(stored.text), context))
      text = await context.step(
        "summary",
        async () => (await this.#summarizer.summarize(events)).compactedContent,
      )
      const hash = hashOf(contents.slice(0, count))
      store(context, { count, hash, text, tokens: null })
    }
    contents.splice(0, count, summaryContent(text))
  }

  /** Stores the number of tokens of the last request, which the response reports. */
  observe({ usageMetadata }: LlmResponse, context: Context): void {
    const tokens = usageMetadata?.promptTokenCount
    if (tokens !== undefined) store(context, { ...readStored(context), tokens })
  }

  /**
   * Returns the number of contents at the start of the conversation that the summary should
   * replace.
   */
  #summarizedUpTo(contents: readonly Content[], { count, text, tokens }: StoredSummary): number {
    const left = contents.slice(count)
    let end = left.length - this.#retained
    // Models reject a tool result if the tool call is missing, so keep both.
    while (end > 0 && hasResponse(left[end]) && hasCall(left[end - 1])) end--
    if (end <= 0) return count
    const size = tokens ?? estimatedTokens(left) + (count > 0 ? Math.ceil(text.length / 4) : 0)
    return size > this.#threshold ? count + end : count
  }
}

const hasCall = (content: Content | undefined): boolean =>
  content?.parts?.some(({ functionCall }) => functionCall !== undefined) === true

const hasResponse = (content: Content | undefined): boolean =>
  content?.parts?.some(({ functionResponse }) => functionResponse !== undefined) === true

const summaryContent = (text: string): Content => ({
  role: "user",
  parts: [{ text: `[Previous Context Summary]:\n${text}` }],
})

const eventOf = (content: Content, { agentName }: Context): Event =>
  createEvent({ author: content.role === "model" ? agentName : "user", content })

function estimatedTokens(contents: readonly Content[]): number {
  let characters = 0
  for (const { parts = [] } of contents)
    for (const { text = "", functionCall, functionResponse } of parts)
      for (const value of [functionCall, functionResponse, text])
        if (value !== undefined)
          characters += typeof value === "string" ? value.length : JSON.stringify(value).length
  return Math.ceil(characters / 4)
}

const nothingStored: StoredSummary = { count: 0, hash: 0, text: "", tokens: null }

/**
 * Returns the stored summary of the oldest contents. Returns an empty summary if the conversation
 * no longer starts with these contents.
 */
function storedSummary(contents: readonly Content[], context: Context): StoredSummary {
  const stored = readStored(context)
  const isValid =
    stored.count <= contents.length && stored.hash === hashOf(contents.slice(0, stored.count))
  return isValid ? stored : { ...nothingStored, tokens: stored.tokens }
}

function readStored({ state, agentName }: Context): StoredSummary {
  const stored: unknown = state.get(summaryKeyOf(agentName))
  // The assertion is safe, because only this module writes the key.
  return isJsonObject(stored) ? (stored as unknown as StoredSummary) : nothingStored
}

const store = ({ state, agentName }: Context, summary: StoredSummary): void =>
  state.set(summaryKeyOf(agentName), summary)

const hashOf = (contents: readonly Content[]): number =>
  contents.length === 0 ? 0 : textHash(JSON.stringify(contents))
