import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import { applyActions } from "../context/apply-actions.js"
import { contentOf } from "../events/message-parts.js"
import type { ArtifactService } from "../context/artifact-service.js"
import { artifactServiceOf } from "../context/artifact-service.js"
import { Context } from "../context/context.js"
import type { ContextSession } from "../context/invocation.js"
import { contextSession, invocationOf } from "../context/invocation.js"
import type { Content } from "../events/content.js"
import { textOf } from "../events/content.js"
import { createEventActions } from "../events/event-actions.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"

/** The context that the method `runAsyncImpl` of a custom agent receives. */
export class InvocationContext {
  readonly invocationId: string
  /** Name of the custom agent that is running. */
  readonly agentName: string
  /** The user message that started the invocation. Absent if there is none. */
  readonly userContent?: Content
  /** Name of the parallel branch in which the agent runs. Absent outside a ParallelAgent. */
  readonly branch?: string
  readonly session: ContextSession
  /** Loads and saves the artifacts of the current session. */
  readonly artifactService: ArtifactService
  /** Signal that aborts when the run is stopped. */
  readonly abortSignal: AbortSignal
  readonly #host: HostContext
  readonly #recorded = new WeakSet<Event>()
  #text: string | null = null

  constructor(host: HostContext, input: unknown) {
    this.invocationId = host.runId
    this.agentName = host.agent
    if (typeof input === "string") this.userContent = { role: "user", parts: [{ text: input }] }
    if (host.branch !== null) this.branch = host.branch
    this.session = contextSession(host, "session")
    this.artifactService = artifactServiceOf(new Context(host))
    this.abortSignal = host.signal
    this.#host = host
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

  /**
   * Runs a sub-agent as one recorded step and returns its events. The actions of these events, such
   * as state changes, are already applied. @internal
   */
  async runAgent(name: string): Promise<readonly Event[]> {
    this.#text = null
    const { events: recorded, escalated } = await this.#host.runAgent(name)
    const events = recorded.flatMap(({ author, message }) =>
      message.role === "system" || author === "user"
        ? []
        : [createEvent({ author, invocationId: this.invocationId, content: contentOf(message) })],
    )
    if (escalated)
      events.push(
        createEvent({
          author: name,
          invocationId: this.invocationId,
          actions: createEventActions({ escalate: true }),
        }),
      )
    for (const event of events) this.#recorded.add(event)
    return events
  }

  /**
   * Applies the actions of an event that the custom agent yields, such as state changes. Does
   * nothing for events of sub-agents, whose actions are already applied. @internal
   */
  apply(event: Event): void {
    if (this.#recorded.has(event)) return
    applyActions(event.actions, this.#host)
    this.#host.emit("event", event)
    this.#text = textOf(event.content) ?? this.#text
  }

  /**
   * The last text that the custom agent itself yielded after its last sub-agent ran. Null if there
   * is none. @internal
   */
  get ownText(): string | null {
    return this.#text
  }

  /**
   * Runs an action as a recorded step. After a restart, the recorded result is returned and the
   * action is not repeated.
   */
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value> {
    return this.#host.step(name, action)
  }
}

/**
 * Wraps the generator of a custom agent as a host function, which is a function that the run calls
 * by name. Applies the actions of each yielded event before the generator continues.
 */
export const customAgentCode =
  (run: (context: InvocationContext) => AsyncGenerator<Event, void, void>): HostFunction =>
  async (host, input) => {
    const context = new InvocationContext(host, input)
    for await (const event of run(context)) context.apply(event)
    return context.ownText === null ? null : { content: context.ownText }
  }
