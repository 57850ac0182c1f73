import type { AskOptions, HostContext } from "../../runtime/host/host-function.js"
import type { Content, Part } from "../events/content.js"
import type { EventActions } from "../events/event-actions.js"
import { createEventActions, ToolConfirmation } from "../events/event-actions.js"
import { refuse } from "../common/refuse.js"
import { artifactServiceOf } from "./artifact-service.js"
import type { ArtifactService } from "./artifact-service.js"
import { artifactPart, artifactValue } from "./artifact-value.js"
import type { ContextSession } from "./invocation.js"
import { artifactsOfRun, contextSession, invocationOf } from "./invocation.js"
import type { SearchMemoryResponse } from "../../runtime/journal/memory-service.js"
import { State } from "./state.js"

/** The read-only context that is passed to functions that return instructions or list tools. */
export class ReadonlyContext {
  readonly agentName: string
  /** Id of the run. A run of this package corresponds to one invocation in ADK. */
  readonly invocationId: string
  /** Name of the parallel branch in which the agent runs. Absent outside a ParallelAgent. */
  readonly branch?: string
  readonly #host: HostContext
  readonly #state: State

  constructor(host: HostContext) {
    this.agentName = host.agent
    this.invocationId = host.runId
    if (host.branch !== null) this.branch = host.branch
    this.#host = host
    this.#state = State.ofRun(host.state)
  }

  get state(): Pick<State, "get" | "has" | "toRecord"> {
    return this.#state
  }

  /**
   * Name of the app that the session belongs to.
   *
   * @throws AgentStatechartsError `session_unknown` if the run was not started by a `Runner`.
   */
  get appName(): string {
    return invocationOf(this.#host, "appName").appName
  }

  get userId(): string {
    return invocationOf(this.#host, "userId").userId
  }

  get sessionId(): string {
    return invocationOf(this.#host, "sessionId").sessionId
  }

  /** The last message that the user has sent in this invocation. */
  get userContent(): Content {
    return invocationOf(this.#host, "userContent").userContent
  }

  get session(): ContextSession {
    return contextSession(this.#host, "session")
  }

  get invocationContext(): never {
    return refuse(
      "This context does not have invocationContext.",
      "Use the members of the context: userId, sessionId, appName, session, branch, userContent, state.",
    )
  }
}

/** Options of `context.ask`: the choices, the expiry of the question, and data for the person. */
export interface QuestionOptions extends AskOptions {
  /** JSON data that the person sees with the question. */
  readonly details?: unknown
}

/** The context that callbacks and tools receive. Its methods read and change the session. */
export class Context extends ReadonlyContext {
  /**
   * Side effects that the callback or tool requests, such as a handoff. They are applied when the
   * callback or tool returns.
   */
  readonly actions: EventActions = createEventActions()
  /**
   * Id of the current tool call. Set only in tools and in the callbacks before and after a tool
   * call.
   */
  readonly functionCallId?: string
  /** The person's answer to `requestConfirmation`. Absent before the person has answered. */
  readonly toolConfirmation?: ToolConfirmation
  /** Signal that aborts when the run is stopped. */
  readonly abortSignal: AbortSignal
  readonly #host: HostContext
  readonly #state: State

  constructor(host: HostContext, toolConfirmation?: ToolConfirmation) {
    super(host)
    if (toolConfirmation !== undefined) this.toolConfirmation = toolConfirmation
    this.abortSignal = host.signal
    if (host.callId !== null) this.functionCallId = host.callId
    this.#host = host
    this.#state = State.ofRun(host.state)
  }

  override get state(): State {
    return this.#state
  }

  get eventActions(): EventActions {
    return this.actions
  }

  /**
   * Saves a new version of a text or a file under a name in the session. Returns the number of the
   * version. The first version is 0.
   */
  async saveArtifact(filename: string, artifact: Part): Promise<number> {
    const value = artifactValue(artifact)
    const stored = artifactsOfRun(this.#host)
    if (stored !== null) {
      const { service, key } = stored
      const number = await this.#host.step("saveArtifact", () =>
        service.saveArtifact({ ...key, filename, artifact }),
      )
      // Placeholders in instructions are filled from the session, so the artifact is stored there
      // too.
      if (value !== undefined) await this.#host.saveArtifact(filename, value)
      this.actions.artifactDelta[filename] = number
      return number
    }
    if (value === undefined)
      return refuse(
        `The artifact "${filename}" is neither a text nor a file.`,
        "Pass { text } or { inlineData: { mimeType, data } } with base64 data.",
      )
    const version = await this.#host.saveArtifact(filename, value)
    this.actions.artifactDelta[filename] = version
    return version
  }

  /**
   * Loads an artifact. If `version` is omitted, loads the newest version. Resolves to undefined if
   * the artifact does not exist.
   */
  async loadArtifact(filename: string, version?: number): Promise<Part | undefined> {
    const stored = artifactsOfRun(this.#host)
    if (stored !== null) {
      const { service, key } = stored
      const request = { ...key, filename, ...(version !== undefined && { version }) }
      const load = async (): Promise<Part | null> => (await service.loadArtifact(request)) ?? null
      return (await this.#host.step("loadArtifact", load)) ?? undefined
    }
    const value = await this.#host.loadArtifact(filename, version)
    return value === null ? undefined : artifactPart(value)
  }

  async listVersions(filename: string): Promise<number[]> {
    const stored = artifactsOfRun(this.#host)
    if (stored !== null) {
      const { service, key } = stored
      return this.#host.step("listVersions", () => service.listVersions({ ...key, filename }))
    }
    return [...Array(await this.#host.artifactVersions(filename)).keys()]
  }

  async listArtifacts(): Promise<string[]> {
    const stored = artifactsOfRun(this.#host)
    return stored === null
      ? [...(await this.#host.listArtifacts())]
      : this.#host.step("listArtifacts", () => stored.service.listArtifactKeys(stored.key))
  }

  /**
   * Service that loads and saves the artifacts of the session. Its methods have the same names as
   * the methods of ADK's artifact service.
   */
  get artifactService(): ArtifactService {
    return artifactServiceOf(this)
  }

  /**
   * Asks a person a question and resolves to the answer. The question and the answer are recorded,
   * so the function receives the same answer after a restart. Resolves to null only if the question
   * expires and `onExpiry` is `continue`.
   *
   * @throws AgentStatechartsError `request_expired` if the question expires
   */
  ask(
    question: string,
    options: QuestionOptions & { readonly onExpiry: "continue" },
  ): Promise<string | null>
  ask(question: string, options?: QuestionOptions): Promise<string>
  ask(question: string, { details, ...options }: QuestionOptions = {}): Promise<string> {
    return this.#host.ask(question, details, options)
  }

  /**
   * Runs an action as a recorded step. After a restart, the recorded result is returned and the
   * action is not repeated.
   */
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value> {
    return this.#host.step(name, action)
  }

  /**
   * Requests a person's confirmation of this tool call. The tool must return after it calls this
   * method. When the person has answered, the tool runs again with `toolConfirmation` set.
   */
  requestConfirmation({
    hint = "",
    payload,
  }: { readonly hint?: string; readonly payload?: unknown } = {}): void {
    if (this.functionCallId === undefined)
      refuse(
        "requestConfirmation is only available in tools, not in callbacks or nodes.",
        "Call it in the tool, or set { requireConfirmation: true } on the tool.",
      )
    else
      this.actions.requestedToolConfirmations[this.functionCallId] = new ToolConfirmation({
        hint,
        confirmed: false,
        payload,
      })
  }

  requestCredential(): never {
    return refuse(
      "Credentials are not available in a context, because they would be stored in the session state.",
      "Return { pending: true, auth: { url } } from the tool, or use a secret in an HttpTool with {{ $secret('name') }}.",
    )
  }

  getAuthResponse(): never {
    return this.requestCredential()
  }

  /**
   * Searches the runner's memory service for messages of the user's earlier sessions. The search is
   * a recorded step.
   */
  async searchMemory(query: string): Promise<SearchMemoryResponse> {
    const { memory, appName, userId } = invocationOf(this.#host, "searchMemory")
    if (memory === undefined)
      return refuse("The runner has no memory service.", "Pass { memoryService } to the Runner.")
    return this.#host.step("searchMemory", () => memory.searchMemory({ appName, userId, query }))
  }
}

/** Alias of `Context`. In earlier versions of ADK, the context of tools has this name. */
export type ToolContext = Context

/** Alias of `Context`. In earlier versions of ADK, the context of callbacks has this name. */
export type CallbackContext = Context
