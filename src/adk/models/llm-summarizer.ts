import { AgentStatechartsError } from "../../errors.js"
import type { BaseSummarizer, CompactedEvent } from "../events/compacted-event.js"
import { modelText, textOf } from "../events/content.js"
import type { Event } from "../events/event.js"
import { createEvent, stringifyContent } from "../events/event.js"
import type { BaseLlm } from "./base-llm.js"

export interface LlmSummarizerOptions {
  /** The model that writes the summary. */
  readonly llm: BaseLlm
  /**
   * Text at the start of the request for a summary, before the events. Default: asks for a short
   * summary of the conversation.
   */
  readonly prompt?: string
}

const defaultPrompt =
  "The following is a conversation between a user and an AI agent. Summarize it. Keep the important information and decisions, and all questions and tasks that are still open. Be concise."

/** Summarizes the events of a conversation with a model. */
export class LlmSummarizer implements BaseSummarizer {
  readonly #llm: BaseLlm
  readonly #prompt: string

  constructor({ llm, prompt = defaultPrompt }: LlmSummarizerOptions) {
    this.#llm = llm
    this.#prompt = prompt
  }

  /**
   * Summarizes a list of events with one model call.
   *
   * @throws AgentStatechartsError `argument_invalid` if the list is empty, and
   * `service_answer_malformed` if the model returns no text.
   */
  async summarize(events: readonly Event[]): Promise<CompactedEvent> {
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined)
      throw new AgentStatechartsError(
        "argument_invalid",
        "an LlmSummarizer cannot summarize an empty list of events; pass at least one event",
      )
    const described = events.map(
      (event, index) =>
        `[Event ${index + 1} - Author: ${event.author}]\n${stringifyContent(event)}\n\n`,
    )
    const text = `${this.#prompt}\n\n${described.join("")}`
    const request = { contents: [{ role: "user", parts: [{ text }] }] }
    let summary = ""
    for await (const { content } of this.#llm.generateContentAsync(request, false))
      summary += textOf(content) ?? ""
    if (summary === "")
      throw new AgentStatechartsError(
        "service_answer_malformed",
        `the model "${this.#llm.model}" returned an empty response instead of a summary`,
      )
    return {
      ...createEvent({ author: "system", content: modelText(summary) }),
      isCompacted: true,
      startTime: first.timestamp,
      endTime: last.timestamp,
      compactedContent: summary,
    }
  }
}
