import type { RunEvent } from "../../machines/contract/run-event.js"
import type { Content, FunctionResponse, Part } from "../events/content.js"
import { isConfirmation } from "../context/confirmation.js"
import { modelText, textOf } from "../events/content.js"
import { createEventActions } from "../events/event-actions.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import { llmResponse } from "../callbacks/llm-request.js"
import { withoutSystemKeys } from "./system-keys.js"
import { requestEvent } from "./request-event.js"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

type Moment = Pick<RunEvent, "agent" | "branch" | "at" | "runId">

/** A running turn: the tool calls of its model, and the results so far. */
interface Turn {
  readonly agent: string
  readonly calls: readonly string[]
  readonly responses: readonly FunctionResponse[]
}

/** Returns whether the event is a request for confirmation by a tool (`requestConfirmation`). */
const isQuestion = (event: RunEvent): event is EventOf<"user.awaited"> =>
  event.type === "user.awaited" && isConfirmation(event.request.details)

/**
 * Converts run events to ADK events. An ADK event is held back until its side effects, such as a
 * state change or an escalation, are known. They follow in the same step of the run, so the delay
 * is short.
 */
export class EventConverter {
  readonly #isLongRunning: (tool: string) => boolean
  readonly #turns = new Map<string, Turn>()
  /** Texts of all events so far, and the number of texts at the start of each agent. */
  readonly #said: string[] = []
  readonly #begun = new Map<string, number>()
  #held: Event | null = null
  #ready: Event[] = []
  #count = 0
  /** The last run event. */
  #at: RunEvent | null = null

  constructor(isLongRunning: (tool: string) => boolean) {
    this.#isLongRunning = isLongRunning
  }

  /** Processes one run event and returns the ADK events that are complete now. */
  take(event: RunEvent): readonly Event[] {
    // Events inside an AgentTool are not visible, except for its requests to people.
    this.#at = event
    if (!event.path.includes("/tool:") || event.type === "human.asked" || isQuestion(event))
      this.#tell(event)
    return this.#takeReady()
  }

  /** Returns the remaining events when the run is idle. */
  rest(): readonly Event[] {
    if (this.#at !== null)
      for (const [path, { agent }] of this.#turns) this.#tellResults(path, { ...this.#at, agent })
    this.#release()
    return this.#takeReady()
  }

  #takeReady(): readonly Event[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #tell(event: RunEvent): void {
    switch (event.type) {
      case "agent.started":
        this.#release()
        this.#begun.set(event.path, this.#said.length)
        return
      case "model.called":
        this.#tellResults(event.path, event)
        this.#release()
        return
      case "tool.called":
      case "user.awaited":
        if (isQuestion(event)) this.#hold(event, requestEvent(event.request, this.#isLongRunning))
        else this.#release()
        return
      case "host.step":
        this.#release()
        return
      case "model.responded":
        this.#responded(event)
        return
      case "tool.finished":
        this.#finished(event)
        return
      case "handoff":
        this.#tellResults(event.path, event)
        this.#act(event, { transferToAgent: event.to })
        return
      case "agent.finished":
        this.#ended(event)
        return
      case "state.changed":
        this.#changed(event)
        return
      case "human.asked":
        this.#hold(event, requestEvent(event.request, this.#isLongRunning))
        return
      case "host.emitted":
        if (event.name === "event") this.#emitted(event)
        return
      default:
        return
    }
  }

  #responded(event: EventOf<"model.responded">): void {
    const { answer, call: key, path } = event
    // If a callback replaced the model call, no `model.called` event precedes this event.
    this.#tellResults(path, event)
    const { content, usageMetadata } = llmResponse(answer)
    // Generates the same id as the history for a call without an id
    // (`machines/model-call/tool-call-proposal.ts`).
    const nth = key.slice(key.lastIndexOf("#") + 1)
    const calls = answer.toolCalls.map(({ id, name, args }, index) => ({
      id: id ?? `call_${nth}_${index}`,
      name,
      args,
    }))
    const parts = [
      ...(content?.parts?.filter(({ text }) => text !== undefined) ?? []),
      ...calls.map((functionCall): Part => ({ functionCall })),
    ]
    this.#turns.set(path, { agent: event.agent, calls: calls.map(({ id }) => id), responses: [] })
    if (parts.length === 0) return
    const longRunning = calls.flatMap(({ id, name }) => (this.#isLongRunning(name) ? [id] : []))
    this.#hold(event, {
      content: { role: "model", parts },
      ...(usageMetadata !== undefined && { usageMetadata }),
      ...(longRunning.length > 0 && { longRunningToolIds: longRunning }),
    })
  }

  #finished({ path, agent, callId: id, tool: name, response }: EventOf<"tool.finished">): void {
    const turn = this.#turns.get(path) ?? { agent, calls: [], responses: [] }
    this.#turns.set(path, { ...turn, responses: [...turn.responses, { id, name, response }] })
  }

  /** Creates one event with the results of all calls of a turn, in call order. */
  #tellResults(path: string, at: Moment): void {
    const turn = this.#turns.get(path)
    if (turn === undefined || turn.responses.length === 0) return
    const place = ({ id = "" }: FunctionResponse): number => turn.calls.indexOf(id)
    const parts = turn.responses
      .toSorted((one, other) => place(one) - place(other))
      .map((functionResponse): Part => ({ functionResponse }))
    this.#turns.set(path, { ...turn, responses: [] })
    this.#hold(at, { content: { role: "user", parts } })
  }

  #ended(event: EventOf<"agent.finished">): void {
    this.#tellResults(event.path, event)
    this.#turns.delete(event.path)
    // A text without an event comes from a callback. The output of a graph node goes to the next
    // node, so only the graph itself reports it.
    const { text, kind } = event
    if (
      text !== null &&
      !kind.endsWith("Node") &&
      !this.#said.slice(this.#begun.get(event.path) ?? 0).includes(text)
    )
      this.#hold(event, { content: modelText(text) })
    if (event.outcome === "escalated") this.#act(event, { escalate: true })
  }

  /** Adds the state changes to the last event. A removed key has the value null, as in ADK. */
  #changed(event: EventOf<"state.changed">): void {
    const stateDelta = withoutSystemKeys({
      ...event.set,
      ...Object.fromEntries(event.removed.map((key) => [key, null])),
    })
    if (Object.keys(stateDelta).length > 0) this.#act(event, { stateDelta })
  }

  #emitted(event: EventOf<"host.emitted">): void {
    // The event that a custom agent yielded, as JSON.
    const given = event.data as Event
    this.#hold(event, given)
  }

  /** Completes the previous event and keeps a new one until its actions are known. */
  #hold(place: Moment, given: Partial<Event>): void {
    this.#release()
    const { agent, branch, at, runId } = place
    this.#held = createEvent({
      ...given,
      id: `${runId}-${this.#count++}`,
      invocationId: runId,
      author: agent,
      timestamp: at,
      ...(branch !== null && { branch }),
    })
    this.#note(given.content)
  }

  #note(content: Content | undefined): void {
    const text = textOf(content)
    if (text !== null) this.#said.push(text)
  }

  #act(event: RunEvent, actions: Partial<Event["actions"]>): void {
    if (this.#held === null) this.#hold(event, { actions: createEventActions() })
    const held = this.#held
    if (held === null) return
    const stateDelta = { ...held.actions.stateDelta, ...actions.stateDelta }
    this.#held = { ...held, actions: { ...held.actions, ...actions, stateDelta } }
  }

  #release(): void {
    if (this.#held !== null) this.#ready.push(this.#held)
    this.#held = null
  }
}
