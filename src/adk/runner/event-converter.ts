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

/** A turn that is under way: which calls its model made, and which results are there. */
interface Turn {
  readonly agent: string
  readonly calls: readonly string[]
  readonly responses: readonly FunctionResponse[]
}

/** A tool asks whether its call may go on (`requestConfirmation`). */
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
  /** Texts in the order told, and how many there were when an agent began. */
  readonly #said: string[] = []
  readonly #begun = new Map<string, number>()
  #held: Event | null = null
  #ready: Event[] = []
  #count = 0
  /** The event of the run that was taken last. */
  #at: RunEvent | null = null

  constructor(isLongRunning: (tool: string) => boolean) {
    this.#isLongRunning = isLongRunning
  }

  /** The events that are certain after this one. */
  take(event: RunEvent): readonly Event[] {
    // What an AgentTool's target does is its own business; what it asks a person is everybody's.
    this.#at = event
    if (!event.path.includes("/tool:") || event.type === "human.asked" || isQuestion(event))
      this.#tell(event)
    return this.#takeReady()
  }

  /** The events that are left when nothing more is to come for now. */
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
    // No `model.called` comes before an answer of a callback.
    this.#tellResults(path, event)
    const { content, usageMetadata } = llmResponse(answer)
    // A call without an id has one after its place, as in the history (`machines/model-call/tool-call-proposal.ts`).
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

  /** The results of a turn's calls are one event, in the order of the calls. */
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
    // A text that nobody has said yet comes from a callback. What a node of a graph gives goes to the next node, and is said by the graph.
    const { text, kind } = event
    if (
      text !== null &&
      !kind.endsWith("Node") &&
      !this.#said.slice(this.#begun.get(event.path) ?? 0).includes(text)
    )
      this.#hold(event, { content: modelText(text) })
    if (event.outcome === "escalated") this.#act(event, { escalate: true })
  }

  /** A key that is gone has the value null, as in ADK. */
  #changed(event: EventOf<"state.changed">): void {
    const stateDelta = withoutSystemKeys({
      ...event.set,
      ...Object.fromEntries(event.removed.map((key) => [key, null])),
    })
    if (Object.keys(stateDelta).length > 0) this.#act(event, { stateDelta })
  }

  #emitted(event: EventOf<"host.emitted">): void {
    // What a custom agent has yielded, as JSON.
    const given = event.data as Event
    this.#hold(event, given)
  }

  /** The event before is certain now. */
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
