import { AgentStatechartsError } from "../../errors.js"
import type { HostRequest } from "../../machines/contract/services.js"
import type { SessionKey } from "../journal/session-store.js"
import { artifactsOf, withoutArtifacts } from "./host-artifacts.js"
import type {
  AgentOutcome,
  AskOptions,
  HostActions,
  HostContext,
  HostState,
} from "./host-function.js"

/**
 * Operations of one call of a host function (a function that your program registers). `CallContext`
 * uses them to implement the `context` argument of the function.
 */
export interface HostCalls {
  readonly request: HostRequest
  /** The session state. It includes the artifacts, which are stored under hidden keys. */
  readonly all: HostState
  readonly actions: HostActions
  readonly session: SessionKey | null
  signal(): AbortSignal
  runAgent(name: string): Promise<unknown>
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  concurrent<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  ask(prompt: string, details: unknown, options: AskOptions): Promise<unknown>
  emit(type: string, data: unknown): void
}

/**
 * The `context` argument of a host function. Each member is created when it is first read, because
 * most functions use only a few. The members do not use `this`, so a function can destructure the
 * context.
 */
export class CallContext implements HostContext {
  readonly #calls: HostCalls
  #state: HostState | null = null

  constructor(calls: HostCalls) {
    this.#calls = calls
  }

  get runId(): string {
    return this.#calls.request.runId
  }

  get agent(): string {
    return this.#calls.request.agent
  }

  get path(): string {
    return this.#calls.request.path
  }

  get branch(): string | null {
    return this.#calls.request.branch
  }

  get idempotencyKey(): string {
    return this.#calls.request.idempotencyKey
  }

  get session(): SessionKey | null {
    return this.#calls.session
  }

  get callId(): string | null {
    return this.#calls.request.toolCall?.id ?? null
  }

  get tool(): string | null {
    return this.#calls.request.toolCall?.tool ?? null
  }

  get factory(): HostContext["factory"] {
    return this.#calls.request.factory
  }

  get isReplaying(): boolean {
    return this.#calls.request.steps.length > 0
  }

  get actions(): HostActions {
    return this.#calls.actions
  }

  get signal(): AbortSignal {
    return this.#calls.signal()
  }

  get state(): HostState {
    this.#state ??= withoutArtifacts(this.#calls.all)
    return this.#state
  }

  get saveArtifact(): HostContext["saveArtifact"] {
    return artifactsOf(this.#calls.all).saveArtifact
  }

  get loadArtifact(): HostContext["loadArtifact"] {
    return artifactsOf(this.#calls.all).loadArtifact
  }

  get listArtifacts(): HostContext["listArtifacts"] {
    return artifactsOf(this.#calls.all).listArtifacts
  }

  get artifactVersions(): HostContext["artifactVersions"] {
    return artifactsOf(this.#calls.all).artifactVersions
  }

  get runAgent(): HostContext["runAgent"] {
    const { request } = this.#calls
    return async (name) => {
      if (!request.agents.includes(name))
        throw new AgentStatechartsError(
          "host_code_failed",
          `"${request.service}" runs the agent "${name}", which is not one of its sub-agents (${request.agents.join(", ") || "it has none"}); add the agent to its sub-agents`,
        )
      return (await this.#calls.runAgent(name)) as AgentOutcome
    }
  }

  get step(): HostContext["step"] {
    return (name, action) => this.#calls.step(name, action)
  }

  get concurrent(): HostContext["concurrent"] {
    return (name, action) => this.#calls.concurrent(name, action)
  }

  get ask(): HostContext["ask"] {
    // The answer can only be null with `onExpiry: "continue"`. The overloads of `HostContext.ask`
    // include this case.
    return async (prompt: string, details: unknown = null, options: AskOptions = {}) =>
      (await this.#calls.ask(prompt, details, options)) as string
  }

  get emit(): HostContext["emit"] {
    return (type, data = null) => this.#calls.emit(type, data)
  }

  get escalate(): HostContext["escalate"] {
    return () => {
      this.#calls.actions.escalate = true
    }
  }
}
