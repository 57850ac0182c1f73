import { isHelper } from "../../../../machines/model-call/helper-agents.js"
import type { PendingRequest, RunEvent } from "../../../api.js"
import { dropOldest } from "./drop-oldest.js"
import { describeRequest } from "../../../../serving/display/describe-request.js"

/** An entry of the chat panel. It is a message, or a note about an event such as a tool call. */
export interface ChatEntry {
  readonly seq: number
  readonly at: number
  readonly from: "user" | "agent" | "note"
  /** The agent that wrote the message. Null for messages of the user. */
  readonly agent: string | null
  readonly text: string
}

/**
 * Collects the messages between the user and the agents from the events of a run. Each event is
 * processed only once.
 */
export class ChatLog {
  readonly #messages: ChatEntry[] = []
  #isConversation = false

  get messages(): readonly ChatEntry[] {
    return this.#messages
  }

  /**
   * Whether the run is a conversation, which means that an agent has asked the user for a message
   * at least once.
   */
  get isConversation(): boolean {
    return this.#isConversation
  }

  /** Drops all messages of events before the event with the number `seq`. */
  dropBefore(seq: number): void {
    dropOldest(this.#messages, (message) => message.seq < seq)
  }

  /** Adds the messages of the next event of the run. */
  apply(event: RunEvent): void {
    switch (event.type) {
      case "run.started":
        return this.#add(event, "user", event.prompt)
      case "model.responded":
        if (isHelper(event.agent)) return
        this.#add(event, "agent", event.answer.content)
        return this.#add(event, "note", toolNote(event.answer.toolCalls.map(({ name }) => name)))
      case "user.awaited":
        this.#isConversation = true
        return this.#addQuestion(event, event.request)
      case "user.said":
        return this.#add(event, "user", event.text)
      case "human.asked":
        return this.#add(event, "note", describeRequest(event.request))
      case "handoff":
        return this.#add(event, "note", `hands off to ${event.to}`)
      case "run.finished":
        return this.#add(event, "note", event.result.error?.message ?? null)
      default:
    }
  }

  /**
   * Adds the question of a pending request to the messages, unless it equals the last message of an
   * agent.
   */
  #addQuestion(event: RunEvent, { prompt }: PendingRequest): void {
    const last = this.#messages.findLast(({ from }) => from === "agent")
    if (last?.text !== prompt) this.#add(event, "agent", prompt)
  }

  #add({ seq, at, agent }: RunEvent, from: ChatEntry["from"], text: string | null): void {
    if (text === null || text === "") return
    this.#messages.push({ seq, at, from, agent: from === "user" ? null : agent, text })
  }
}

const toolNote = (tools: readonly string[]): string | null =>
  tools.every((name) => name === "transfer_to_agent") ? null : `calls ${tools.join(", ")}`
