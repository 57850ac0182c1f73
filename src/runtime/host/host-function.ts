import type { OnExpiry } from "../../machines/contract/activity.js"
import type { Artifact } from "../../machines/contract/artifacts.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HistoryEntry } from "../../machines/contract/history.js"
import type { SessionKey } from "../journal/session-store.js"

/**
 * A function that you register under a name and that a chart calls
 * (docs/semantics.md#host-functions). It changes the run only through `context`. After a restart,
 * the function runs again from its beginning, and finished steps return their recorded results.
 * Therefore the code between the steps must be deterministic.
 */
export type HostFunction = (context: HostContext, input: unknown) => Promise<unknown> | unknown

/**
 * The object through which a host function reads and changes its run. Each call of `runAgent`,
 * `step` or `ask` is a step, whose result is recorded. Steps run one after the other, in the order
 * of the calls.
 */
export interface HostContext extends HostArtifacts {
  readonly runId: string
  readonly agent: string
  readonly path: string
  /**
   * Name of the parallel branch that contains the call, for example `outer.0.inner.1`. null outside
   * parallel blocks.
   */
  readonly branch: string | null
  /**
   * Unique key of this call, for example `r1/writer#0`. It stays the same if the call is repeated
   * after a restart.
   */
  readonly idempotencyKey: string
  /**
   * True if the function was started again, for example after a restart, and has recorded steps.
   * The function must take the same steps each time.
   */
  readonly isReplaying: boolean
  /**
   * Signal that is aborted when the call is stopped. If the run was suspended and can be resumed,
   * the abort reason is an AgentStatechartsError `run_suspended`.
   */
  readonly signal: AbortSignal
  /** Session state. It includes the changes that this function has made so far. */
  readonly state: HostState
  /**
   * Runs the sub-agent with this name and resolves to its result. Rejects if the sub-agent fails.
   */
  runAgent(name: string): Promise<AgentOutcome>
  /**
   * Runs `action` once, records its result and resolves to it. The result must be JSON. If the
   * function is started again, the promise resolves to the recorded result, and `action` is not
   * called.
   */
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  /**
   * Runs `action` once like `step`, but in parallel with other steps. If the function is started
   * again, the recorded result is found by `name`. Therefore, each name may be used only once in a
   * call.
   */
  concurrent<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  /**
   * Asks a person for a JSON value that matches `answerSchema` or, with `auth`, for an
   * authorization. Resolves to the value, or to null if the question expires with `onExpiry:
   * "continue"`. The value of an authorization is `{ secret: name }`.
   */
  ask(
    prompt: string,
    details: unknown,
    options: AskOptions &
      ({ readonly answerSchema: JsonObject } | { readonly auth: ConsentRequest }),
  ): Promise<unknown>
  /** Asks a person a question. Resolves to the answer, or to null if the question expires. */
  ask(
    prompt: string,
    details: unknown,
    options: AskOptions & { readonly onExpiry: "continue" },
  ): Promise<string | null>
  /**
   * Asks a person a question and resolves to the answer. Rejects with `request_expired` if the
   * question expires.
   */
  ask(prompt: string, details?: unknown, options?: AskOptions): Promise<string>
  /** Emits a custom event to the subscribers of the run. `data` must be JSON. */
  emit(type: string, data?: unknown): void
  /** Ends the loop that contains the agent. Has the same effect as `actions.escalate = true`. */
  escalate(): void
  /**
   * Session of the run. null if the run has no session, or if `toMachine` has created its machine.
   */
  readonly session: SessionKey | null
  /**
   * Id of the tool call that this function executes, or for which it is a callback. null outside
   * tool calls.
   */
  readonly callId: string | null
  /** Name of the called tool. null outside tool calls. */
  readonly tool: string | null
  /**
   * The `args` from the config, if this function creates a tool, a callback or an agent from its
   * `args`. null for all other functions.
   */
  readonly factory: JsonObject | null
  /**
   * Actions that the function requests in addition to its result, such as a transfer. Outside tool
   * calls, only `escalate` has an effect.
   */
  readonly actions: HostActions
}

/** Description of an authorization that a person must give, for example an OAuth consent. */
export interface ConsentRequest {
  /** URL of the page on which the person gives the authorization. */
  readonly url: string
  readonly scopes?: readonly string[]
}

/** Options of a question that a host function asks a person. */
export interface AskOptions {
  /**
   * The allowed answers. Upper and lower case and surrounding spaces of an answer are ignored. The
   * promise resolves to the choice exactly as it is written here. Default: every text is allowed.
   */
  readonly choices?: readonly string[]
  /**
   * JSON Schema of the answer. The question is then a request of kind `human`, and the answer is a
   * JSON value. Cannot be combined with `choices`.
   */
  readonly answerSchema?: JsonObject
  /**
   * The authorization that the person must give. The question is then a request of kind `auth`, and
   * its details are `{ auth }`. Cannot be combined with `choices` or `answerSchema`.
   */
  readonly auth?: ConsentRequest
  /** Time until the question expires, in milliseconds. Default: the question never expires. */
  readonly expiresIn?: number
  /**
   * Effect of an expired question. `reject` rejects the promise, `continue` resolves it to null,
   * and `fail` ends the run with an error that the function cannot catch. Default: `reject`.
   */
  readonly onExpiry?: OnExpiry
}

/**
 * Actions that a host function requests when it sets these fields. They have no effect if the
 * function throws an error.
 */
export interface HostActions {
  /**
   * If true, ends the loop that contains the agent. In a tool call, the loop ends immediately,
   * without another model call. Otherwise, it ends after the agent.
   */
  escalate?: boolean
  /**
   * Id of the agent to which the conversation is transferred. The agent that called the function
   * must be allowed to transfer to it.
   */
  transferToAgent?: string
  /**
   * If true, the result of the tool ends the turn and becomes the text of the agent. The model is
   * not called again.
   */
  skipSummarization?: boolean
}

/** Result of a sub-agent that a host function has run with `runAgent`. */
export interface AgentOutcome {
  /**
   * Final text of the sub-agent, or null if it has no text. For a container such as a sequence,
   * this is the text of the last agent that ran in it.
   */
  readonly text: string | null
  /** History entries of the sub-agent and of its own sub-agents, in order. */
  readonly events: readonly HistoryEntry[]
  /**
   * True if the sub-agent, or an agent inside it, requested to end the enclosing loop (`escalate`).
   */
  readonly escalated: boolean
}

/**
 * The artifacts of a session: named texts or bytes (docs/sessions.md). Instructions include an
 * artifact with the placeholder `{artifact.name}`.
 */
export interface HostArtifacts {
  /**
   * Saves a new version of an artifact. Resolves to the number of the version. The first version is
   * 0.
   */
  saveArtifact(name: string, value: Artifact): Promise<number>
  /**
   * Loads an artifact. `version` is a version number. Default: the newest version. Resolves to null
   * if the artifact or the version does not exist.
   */
  loadArtifact(name: string, version?: number): Promise<Artifact | null>
  listArtifacts(): Promise<readonly string[]>
  /**
   * Resolves to the number of stored versions of an artifact, or to 0 if the artifact does not
   * exist.
   */
  artifactVersions(name: string): Promise<number>
}

/**
 * The session state that a host function reads and writes. Changes are recorded with the next step,
 * or with the result of the function.
 */
export interface HostState {
  get(key: string): unknown
  has(key: string): boolean
  set(key: string, value: unknown): void
  delete(key: string): void
  toObject(): Record<string, unknown>
}
