import { isHelper } from "../../machines/model-call/helper-agents.js"
import type { NodeFailure, RunEvent } from "../../machines/contract/run-event.js"
import type { Content, FunctionResponse, Part } from "../events/content.js"
import { modelText, textOf } from "../events/content.js"
import { createEventActions } from "../events/event-actions.js"
import type { Event, Route } from "../events/event.js"
import { createEvent } from "../events/event.js"
import { llmResponse } from "../callbacks/llm-request.js"
import type { NodePrefix } from "../context/node-runner.js"
import { isQuestion, isShownInsideTool } from "./visible-event.js"
import { nodePathOf } from "../nodes/node-path.js"
import { withoutSystemKeys } from "./system-keys.js"
import { requestEvent } from "./request-event.js"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

type EventOrigin = Pick<RunEvent, "agent" | "path" | "branch" | "at" | "runId">

/**
 * An unfinished turn of an agent: the ids of its tool calls, and the tool results received so far.
 */
interface Turn {
  readonly agent: string
  readonly calls: readonly string[]
  readonly responses: readonly FunctionResponse[]
}

/**
 * Converts the events of a run to ADK events. An ADK event includes side effects, such as state
 * changes, which later run events report. Therefore each ADK event is delayed until its side
 * effects are known, at most until the end of the current step.
 */
export class EventConverter {
  readonly #isLongRunning: (tool: string) => boolean
  /**
   * Whether the agents contain graphs. If true, ADK events contain the path of the node that
   * emitted them.
   */
  readonly #hasNodes: boolean
  readonly #prefix: NodePrefix | undefined
  readonly #turns = new Map<string, Turn>()
  /** The texts of all events so far, in order. */
  readonly #texts: string[] = []
  /** The number of entries in `#texts` when each agent started, by agent path. */
  readonly #textsBefore = new Map<string, number>()
  /** Paths of the running graph nodes that are not agents. */
  readonly #codeNodes = new Set<string>()
  /**
   * The error of the last failed node. The graphs that contain the node fail with the same error.
   */
  #failure: NodeFailure | null = null
  #pending: Event | null = null
  #ready: Event[] = []
  #count = 0
  /** The run event that was processed last. */
  #lastEvent: RunEvent | null = null

  /**
   * @param prefix Converts the node paths of the run to paths in the calling run. Undefined if the
   * run has no calling run.
   */
  constructor(
    isLongRunning: (tool: string) => boolean,
    hasNodes = false,
    prefix: NodePrefix | undefined = undefined,
  ) {
    this.#isLongRunning = isLongRunning
    this.#hasNodes = hasNodes
    this.#prefix = prefix
  }

  /** Processes one run event and returns the ADK events that are complete now. */
  convert(event: RunEvent): readonly Event[] {
    this.#lastEvent = event
    if (!event.path.includes("/tool:") || isShownInsideTool(event)) this.#process(event)
    return this.#takeReady()
  }

  /** Returns the ADK events that are still delayed. Must be called when the run is idle. */
  flush(): readonly Event[] {
    if (this.#lastEvent !== null)
      for (const [path, { agent }] of this.#turns)
        this.#addResults(path, { ...this.#lastEvent, agent, path })
    this.#completePending()
    return this.#takeReady()
  }

  #takeReady(): readonly Event[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #process(event: RunEvent): void {
    switch (event.type) {
      case "node.finished":
        this.#nodeFinished(event)
        return
      case "agent.started":
        this.#completePending()
        if (event.kind.endsWith("Node")) this.#codeNodes.add(event.path)
        this.#textsBefore.set(event.path, this.#texts.length)
        return
      case "model.called":
        this.#addResults(event.path, event)
        this.#completePending()
        return
      case "tool.called":
      case "user.awaited":
        if (isQuestion(event)) this.#ask(event)
        else this.#completePending()
        return
      case "host.step":
        this.#completePending()
        return
      case "model.responded":
        if (!isHelper(event.agent)) this.#responded(event)
        return
      case "tool.finished":
        this.#finished(event)
        return
      case "handoff":
        this.#addResults(event.path, event)
        this.#addActions(event, { transferToAgent: event.to })
        return
      case "agent.finished":
        this.#ended(event)
        return
      case "state.changed":
        this.#addStateDelta(event)
        return
      case "human.asked":
        this.#ask(event)
        return
      case "host.emitted":
        if (event.name === "event") this.#addYielded(event)
        return
      default:
        return
    }
  }

  /**
   * Creates the ADK event for a request to a person, unless an earlier event already contains the
   * request.
   */
  #ask(event: EventOf<"human.asked"> | EventOf<"user.awaited">): void {
    const fields = requestEvent(event.request, this.#isLongRunning)
    if (fields === null) this.#completePending()
    else this.#start(event, fields)
  }

  #responded(event: EventOf<"model.responded">): void {
    const { answer, call: key, path } = event
    // If a callback replaced the model call, no `model.called` event precedes this event.
    this.#addResults(path, event)
    const { content, usageMetadata } = llmResponse(answer)
    // Generate the same id as the session history for a tool call without an id (see
    // `machines/model-call/tool-call-proposal.ts`).
    const callNumber = key.slice(key.lastIndexOf("#") + 1)
    const calls = answer.toolCalls.map(({ id, name, args }, index) => ({
      id: id ?? `call_${callNumber}_${index}`,
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
    this.#start(event, {
      content: { role: "model", parts },
      ...(usageMetadata !== undefined && { usageMetadata }),
      ...(longRunning.length > 0 && { longRunningToolIds: longRunning }),
    })
  }

  #finished({ path, agent, callId: id, tool: name, response }: EventOf<"tool.finished">): void {
    const turn = this.#turns.get(path) ?? { agent, calls: [], responses: [] }
    this.#turns.set(path, { ...turn, responses: [...turn.responses, { id, name, response }] })
  }

  /** Creates one ADK event with the results of all tool calls of a turn, in call order. */
  #addResults(path: string, origin: EventOrigin): void {
    const turn = this.#turns.get(path)
    if (turn === undefined || turn.responses.length === 0) return
    const position = ({ id = "" }: FunctionResponse): number => turn.calls.indexOf(id)
    const parts = turn.responses
      .toSorted((one, other) => position(one) - position(other))
      .map((functionResponse): Part => ({ functionResponse }))
    this.#turns.set(path, { ...turn, responses: [] })
    this.#start(origin, { content: { role: "user", parts } })
  }

  #ended(event: EventOf<"agent.finished">): void {
    this.#addResults(event.path, event)
    this.#turns.delete(event.path)
    // A text without its own event comes from a callback. The output of a graph node is not shown,
    // because it is passed to the next node. Only the graph itself shows its output.
    const { text, kind } = event
    if (
      text !== null &&
      !kind.endsWith("Node") &&
      !(kind === "Workflow" && this.#hasNodes) &&
      !this.#texts.slice(this.#textsBefore.get(event.path) ?? 0).includes(text)
    )
      this.#start(event, { content: modelText(text) })
    if (event.outcome === "escalated") this.#addActions(event, { escalate: true })
  }

  /**
   * Adds the output of a graph node to the node's delayed event, or creates an event for the
   * output. If the node has failed, creates an event with its error.
   */
  #nodeFinished(event: EventOf<"node.finished">): void {
    const { error, output, route, isShown = false } = event
    this.#codeNodes.delete(event.path)
    if (error !== undefined) {
      const { name, message } = error
      const isKnown = this.#failure?.name === name && this.#failure.message === message
      this.#failure = error
      if (!isKnown) this.#start(event, { errorCode: name, errorMessage: message })
      return
    }
    if (isShown || (output === undefined && route === undefined)) return
    const pending = this.#pending
    const fields = {
      ...(output !== undefined && { output }),
      // The type of a route is checked when the node returns it.
      ...(route !== undefined && { route: route as Route }),
    }
    if (pending !== null && pending.author === event.agent && pending.output === undefined)
      this.#pending = { ...pending, ...fields }
    else
      this.#start(event, {
        ...(output !== undefined && {
          content: modelText(typeof output === "string" ? output : JSON.stringify(output)),
        }),
        ...fields,
      })
  }

  /** Adds state changes to the last event. A removed key has the value null, as in ADK. */
  #addStateDelta(event: EventOf<"state.changed">): void {
    const stateDelta = withoutSystemKeys({
      ...event.set,
      ...Object.fromEntries(event.removed.map((key) => [key, null])),
    })
    if (Object.keys(stateDelta).length > 0) this.#addActions(event, { stateDelta })
  }

  #addYielded(event: EventOf<"host.emitted">): void {
    // The event that a custom agent yielded, as JSON.
    const yielded = event.data as Event
    this.#start(event, yielded)
  }

  /** Emits the pending event. Then creates an event that is pending until its effects are known. */
  #start(origin: EventOrigin, fields: Partial<Event>): void {
    this.#completePending()
    const { agent, branch, at, runId } = origin
    const { author = agent } = fields
    this.#pending = createEvent({
      ...fields,
      ...(this.#hasNodes && {
        nodeInfo: { path: nodePathOf(origin.path, this.#prefix), ...fields.nodeInfo },
      }),
      id: `${runId}-${this.#count++}`,
      invocationId: runId,
      author: author === "" ? agent : author,
      timestamp: at,
      ...(branch !== null && { branch }),
    })
    this.#noteText(fields.content)
  }

  #noteText(content: Content | undefined): void {
    const text = textOf(content)
    if (text !== null) this.#texts.push(text)
  }

  #addActions(event: RunEvent, actions: Partial<Event["actions"]>): void {
    const isOfNode = this.#codeNodes.has(event.path) || this.#pending?.nodeInfo !== undefined
    if (this.#pending === null || (isOfNode && this.#pending.author !== event.agent))
      this.#start(event, { actions: createEventActions() })
    const pending = this.#pending
    if (pending === null) return
    const stateDelta = { ...pending.actions.stateDelta, ...actions.stateDelta }
    this.#pending = { ...pending, actions: { ...pending.actions, ...actions, stateDelta } }
  }

  #completePending(): void {
    if (this.#pending !== null) this.#ready.push(this.#pending)
    this.#pending = null
  }
}
