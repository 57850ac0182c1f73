import type { HostContext } from "../../runtime/host/host-function.js"
import type { Part } from "../events/content.js"
import type { EventActions } from "../events/event-actions.js"
import { createEventActions } from "../events/event-actions.js"
import { refuse } from "../refuse.js"
import { State } from "./state.js"

/** What instruction functions are given: they may look, and change nothing. */
export class ReadonlyContext {
  readonly agentName: string
  /** The run: one invocation. */
  readonly invocationId: string
  readonly #state: State

  constructor(host: HostContext) {
    this.agentName = host.agent
    this.invocationId = host.runId
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
  readonly #host: HostContext
  readonly #state: State

  constructor(host: HostContext) {
    super(host)
    this.abortSignal = host.signal
    if (host.callId !== null) this.functionCallId = host.callId
    this.#host = host
    this.#state = new State(host.state)
  }

  override get state(): State {
    return this.#state
  }

  get eventActions(): EventActions {
    return this.actions
  }

  /** Keeps a text or a file under a name, with the session. One version of it is kept, so the answer is always 0. */
  async saveArtifact(filename: string, artifact: Part): Promise<number> {
    const { text, inlineData } = artifact
    const { mimeType, data } = inlineData ?? {}
    const value =
      text ?? (mimeType === undefined || data === undefined ? undefined : { mimeType, data })
    if (value === undefined)
      return refuse(
        `The artifact "${filename}" is neither a text nor a file.`,
        "Give { text } or { inlineData: { mimeType, data } }, data in base64.",
      )
    await this.#host.saveArtifact(filename, value)
    this.actions.artifactDelta[filename] = 0
    return 0
  }

  async loadArtifact(filename: string): Promise<Part | undefined> {
    const value = await this.#host.loadArtifact(filename)
    if (value === null) return undefined
    return typeof value === "string" ? { text: value } : { inlineData: value }
  }

  async listArtifacts(): Promise<string[]> {
    return [...(await this.#host.listArtifacts())]
  }
}

/** What tools are given, under the name that earlier versions of ADK have for it. */
export type ToolContext = Context

/** What callbacks are given, under the name that earlier versions of ADK have for it. */
export type CallbackContext = Context
