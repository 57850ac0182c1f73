import type { OnExpiry } from "../../machines/contract/activity.js"
import type { Artifact } from "../../machines/contract/artifacts.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HistoryEntry } from "../../machines/contract/history.js"

/**
 * A function that you register under a name, and that the chart calls
 * (docs/semantics.md#host-functions). It changes the run only through `context`. After a restart,
 * the function runs again from its start, and finished steps return their recorded results. The
 * code between the steps must be deterministic.
 */
export type HostFunction = (context: HostContext, input: unknown) => Promise<unknown> | unknown

/**
 * The access of a host function to its run. Each awaited call is a recorded step. Steps run one
 * after the other, in the order of the calls.
 */
export interface HostContext extends HostArtifacts {
  readonly runId: string
  readonly agent: string
  readonly path: string
  /**
   * Name of the parallel branch, for example `outer.0.inner.1`; null outside of parallel blocks.
   */
  readonly branch: string | null
  /** Identifies this call. It is the same when the call is repeated after a restart. */
  readonly idempotencyKey: string
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal
  /** The session state, including the changes of this function. */
  readonly state: HostState
  /** Runs a sub-agent and resolves to its result. Rejects if the sub-agent failed. */
  runAgent(name: string): Promise<AgentOutcome>
  /**
   * Runs `action` and records its result, which must be JSON. A recorded action is not repeated
   * after a restart.
   */
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  /** Asks a person and resolves to the answer, or to null if the question has expired. */
  ask(
    prompt: string,
    details: unknown,
    options: AskOptions & { readonly onExpiry: "continue" },
  ): Promise<string | null>
  /**
   * Asks a person and resolves to the answer. Rejects with `request_expired` if the question has
   * expired.
   */
  ask(prompt: string, details?: unknown, options?: AskOptions): Promise<string>
  /** Emits a custom event to the subscribers of the run. */
  emit(type: string, data?: unknown): void
  /** Ends the enclosing loop. The same as `actions.escalate = true`. */
  escalate(): void
  /** Id of the tool call that the function executes or is a callback of; otherwise null. */
  readonly callId: string | null
  /** Name of the tool of this call; otherwise null. */
  readonly tool: string | null
  /**
   * The `args` next to the tool name in the config, for a function that creates tools; otherwise
   * null.
   */
  readonly factory: JsonObject | null
  /** Requests besides the result. Outside of tool calls, only `escalate` has an effect. */
  readonly actions: HostActions
}

/** Options of a question to a person. */
export interface AskOptions {
  /** Time until the question expires, in milliseconds. Default: never. */
  readonly expiresIn?: number
  /**
   * The effect of the expiry: `reject` rejects the promise, `continue` resolves it to null, and
   * `fail` ends the run with an error that the function cannot catch. Default: `reject`.
   */
  readonly onExpiry?: OnExpiry
}

/**
 * Requests that a host function makes by setting a field. If the function throws, they have no
 * effect.
 */
export interface HostActions {
  /**
   * Ends the enclosing loop: for a tool call at once, without another model call, otherwise after
   * the agent.
   */
  escalate?: boolean
  /**
   * Id of the agent that receives the conversation. The caller must be allowed to transfer to it.
   */
  transferToAgent?: string
  /** Whether the result of the tool ends the turn and becomes its text. */
  skipSummarization?: boolean
}

/** The result of a sub-agent. */
export interface AgentOutcome {
  /** The final text. For a container, the text of the last agent that ran. */
  readonly text: string | null
  /** The history entries of the sub-agent and its own sub-agents, in order. */
  readonly events: readonly HistoryEntry[]
  /** Whether the sub-agent, or an agent inside it, has escalated. */
  readonly escalated: boolean
}

/**
 * Named texts and bytes in the session (docs/sessions.md). Instructions read them as
 * `{artifact.name}`.
 */
export interface HostArtifacts {
  saveArtifact(name: string, value: Artifact): Promise<void>
  /** Resolves to the artifact, or to null if it does not exist. */
  loadArtifact(name: string): Promise<Artifact | null>
  listArtifacts(): Promise<readonly string[]>
}

/** The session state in a host function. Changes are recorded with the next step or the result. */
export interface HostState {
  get(key: string): unknown
  has(key: string): boolean
  set(key: string, value: unknown): void
  delete(key: string): void
  toObject(): Record<string, unknown>
}
