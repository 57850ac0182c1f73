import type { HostContext } from "../../runtime/host/host-function.js"
import type { Content } from "../events/content.js"
import type { EventActions } from "../events/event-actions.js"
import { createEventActions } from "../events/event-actions.js"
import { State } from "./state.js"

/** What host code is told of the call that it was made for, besides its context. */
export interface Told {
  readonly functionCallId?: string
  readonly userContent?: Content
}

/** What instruction functions are given: they may look, and change nothing. */
export class ReadonlyContext {
  readonly agentName: string
  /** The run: one invocation. */
  readonly invocationId: string
  readonly userContent?: Content
  readonly #state: State

  constructor(host: HostContext, told: Told = {}) {
    this.agentName = host.agent
    this.invocationId = host.runId
    if (told.userContent !== undefined) this.userContent = told.userContent
    this.#state = new State(host.state)
  }

  get state(): Pick<State, "get" | "has" | "toRecord"> {
    return this.#state
  }
}

/** What callbacks and tools are given. */
export class Context extends ReadonlyContext {
  /** What this callback or tool does besides answering; carried out when it has returned. */
  readonly actions: EventActions = createEventActions()
  /** Id of the tool call, for tools and the callbacks around them. */
  readonly functionCallId?: string
  /** Aborts when the run is stopped. */
  readonly abortSignal: AbortSignal
  readonly #state: State

  constructor(host: HostContext, told: Told = {}) {
    super(host, told)
    this.abortSignal = host.signal
    if (told.functionCallId !== undefined) this.functionCallId = told.functionCallId
    this.#state = new State(host.state)
  }

  override get state(): State {
    return this.#state
  }

  get eventActions(): EventActions {
    return this.actions
  }
}

/** What tools are given, under the name that earlier versions of ADK have for it. */
export type ToolContext = Context

/** What callbacks are given, under the name that earlier versions of ADK have for it. */
export type CallbackContext = Context
