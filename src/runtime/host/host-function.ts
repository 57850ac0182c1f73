import type { OnExpiry } from "../../machines/contract/activity.js"
import type { Artifact } from "../../machines/contract/artifacts.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HistoryEntry } from "../../machines/contract/history.js"

/**
 * A host function: the user registers it under a name that the chart refers to (docs/semantics.md#host-functions). Its effects go only
 * through `context`. After a restart it runs again from its start, and finished steps return their recorded results. So the rest of
 * the function must be deterministic.
 */
export type HostFunction = (context: HostContext, input: unknown) => Promise<unknown> | unknown

/** What host code may do. Every awaited call is a recorded step; steps are taken one after the other, in the order asked for. */
export interface HostContext extends HostArtifacts {
  readonly runId: string
  readonly agent: string
  readonly path: string
  /** Name of the parallel branch, `outer.0.inner.1`; null outside of parallel blocks. */
  readonly branch: string | null
  /** The same whenever this call is made again, also after a restart; for services that can tell by it. */
  readonly idempotencyKey: string
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal
  /** The session state, with what this function has written. */
  readonly state: HostState
  /** Runs a sub-agent and resolves with what it came to. Rejects when it failed. */
  runAgent(name: string): Promise<AgentOutcome>
  /** Runs `action` once, whatever happens to the process, and resolves with its result, which has to be JSON. */
  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value>
  /** Asks a person and resolves with the answer; with null where nobody has given one in time and that is to go on. */
  ask(
    prompt: string,
    details: unknown,
    options: AskOptions & { readonly onExpiry: "continue" },
  ): Promise<string | null>
  /** Asks a person and resolves with the answer. Rejects with `request_expired` when nobody has given one in time. */
  ask(prompt: string, details?: unknown, options?: AskOptions): Promise<string>
  /** Tells the run's stream something of your own. */
  emit(type: string, data?: unknown): void
  /** Ends the loops above: the same as `actions.escalate = true`. */
  escalate(): void
  /** Id of the tool call that the function carries out, or is called back around; null elsewhere. */
  readonly callId: string | null
  /** The tool of that call, by the name that the model knows. */
  readonly tool: string | null
  /** What the config says the tool is to be made from, the `args` beside its name; null for a tool that is one by itself. */
  readonly factory: JsonObject | null
  /** What is to happen besides the result; only `escalate` has an effect elsewhere than around tool calls. */
  readonly actions: HostActions
}

export interface AskOptions {
  /** How long the question stays open, in milliseconds; for ever unless given. */
  readonly expiresIn?: number
  /**
   * What it means when nobody has answered by then: `reject` rejects the promise, which the function may catch; `continue`
   * resolves it with null; `fail` ends the run, whatever the function would do. `reject` unless given.
   */
  readonly onExpiry?: OnExpiry
}

/** What host code may ask for by setting it. Nothing comes of it when the function throws. */
export interface HostActions {
  /** Ends the loops above: around a tool call at once, without a further model call; elsewhere when the agent has ended. */
  escalate?: boolean
  /** Hands the conversation to an agent that the caller may hand over to. */
  transferToAgent?: string
  /** The tool's result ends the turn, as its text. */
  skipSummarization?: boolean
}

/** What the run of a sub-agent came to. */
export interface AgentOutcome {
  /** Its final text; of a container that of the last agent that ran. */
  readonly text: string | null
  /** What was said below it, in order: texts, tool calls and their results, each with its author. */
  readonly events: readonly HistoryEntry[]
  /** It, or an agent below it, has escalated. */
  readonly escalated: boolean
}

/** Texts and bytes under a name, kept with the session; `{artifact.name}` in an instruction is one (docs/sessions.md). */
export interface HostArtifacts {
  saveArtifact(name: string, value: Artifact): Promise<void>
  /** null where there is none under this name. */
  loadArtifact(name: string): Promise<Artifact | null>
  listArtifacts(): Promise<readonly string[]>
}

export interface HostState {
  get(key: string): unknown
  has(key: string): boolean
  set(key: string, value: unknown): void
  delete(key: string): void
  toObject(): Record<string, unknown>
}
