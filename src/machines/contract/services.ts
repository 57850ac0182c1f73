import type { JsonObject } from "../data/json-object.js"
import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"
import type { BudgetOwner, TokenUsage } from "./budget.js"
import type { DeltaStream } from "./delta-stream.js"
import type { HttpOperation } from "../data/http-operation.js"
import type { GraphValues } from "../data/node-scope.js"
import type { UserContent } from "./user-content.js"

/**
 * One message of the conversation that a model service receives (docs/semantics.md#model-calls).
 */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: UserContent }
  | { readonly role: "assistant"; readonly content: string | readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolPart[] }

export type AssistantPart =
  | { readonly text: string }
  | {
      readonly function_call: {
        readonly id: string
        readonly name: string
        readonly args: ToolArguments
      }
    }

export interface ToolPart {
  readonly function_response: {
    readonly id: string
    readonly name: string
    readonly response: JsonObject
  }
}

export type ToolArguments = JsonObject

/** The declaration of a tool that a model receives. `parameters` is a JSON schema. */
export interface ToolDeclaration {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }
}

/**
 * HTTP endpoint of an agent or a tool. Every string can contain `{{ JSONata }}` templates, which
 * are filled at request time.
 */
export interface HttpEndpoint {
  readonly url: string
  readonly method: string
  /** Headers of the request. Values that are not strings are sent as JSON. */
  readonly headers?: Readonly<Record<string, string | JsonObject | readonly unknown[]>>
  /** Fields of the request body, or a template whose value is the body. */
  readonly body?: JsonObject | string
  /**
   * Set if the endpoint is an operation of an OpenAPI document. The request then contains only the
   * arguments of the call, in the locations that the document defines.
   */
  readonly operation?: HttpOperation
}

/**
 * The fields that all service requests contain. They identify the call and the agent that makes it.
 */
export interface CallIdentity {
  readonly runId: string
  /** Id of the agent that makes the call. */
  readonly agent: string
  /** Path of the calling agent in the run, such as `pipeline/rounds[2]/writer`. */
  readonly path: string
  /** Name of the parallel branch, such as `outer.0.inner.1`; null outside parallel blocks. */
  readonly branch: string | null
  /** Key of the call, `runId/path#n`. It is the same for all attempts and after a restart. */
  readonly idempotencyKey: string
  /** Number of the attempt; 1 for the first attempt. */
  readonly attempt: number
  /** Maximum number of attempts, including the first. Absent if failures are not retried. */
  readonly maximumAttempts?: number
}

/** The request of a model call. `state` is computed only when it is first read. */
export interface ModelRequest extends CallIdentity {
  /**
   * Name of a registered model: the agent's own model or one of its fallbacks. null if the agent
   * has its own `endpoint`.
   */
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  /** The session state without its counters and hidden keys (docs/semantics.md#model-calls). */
  readonly state: JsonObject
  /** The `context` of the workflow, for templates in the endpoint. */
  readonly context: JsonObject
  /** Values of the enclosing graph, for templates in the endpoint. Absent outside graphs. */
  readonly graph?: GraphValues
  /** The agent's `generateContentConfig`. Adapters may ignore it. */
  readonly generationConfig?: JsonObject
  /** JSON schema of the final text (adk), for models that support structured output. */
  readonly outputSchema?: JsonObject
  /** Set if the model must correct its final text because the text did not match `outputSchema`. */
  readonly mustAnswer?: true
}

/** The request of a tool call. `state` is computed only when it is first read. */
export interface ToolRequest extends CallIdentity {
  readonly tool: string
  readonly endpoint: HttpEndpoint | null
  readonly callId: string
  readonly arguments: ToolArguments
  readonly state: JsonObject
  readonly context: JsonObject
  /** Values of the enclosing graph, for templates in the endpoint. Absent outside graphs. */
  readonly graph?: GraphValues
  /**
   * Name of the secret that a person granted to this call, never the value of the secret. null if
   * no secret was granted. A tool requests a secret by returning `{pending: true, auth}`.
   */
  readonly grantedSecret: string | null
}

/** A model's response after `readModelAnswer` has parsed it. */
export interface ModelAnswer {
  readonly content: string | null
  readonly toolCalls: readonly ProposedCall[]
  readonly exitFlow: boolean
  readonly escalate: boolean
  readonly waitForUserInput: boolean
  readonly hitlRequest: { readonly prompt: string; readonly actionDetails: unknown } | null
  readonly usage: TokenUsage | null
  /** Set if the model service declares that its responses can contain signals. */
  readonly signals?: true
  /**
   * Set if the response comes from the cache and the model was not called. `usage` is then null.
   */
  readonly cached?: CachedUsage
  /** Error message if the cache failed. The model was called instead. */
  readonly cacheError?: string
}

/** The original model call whose response was cached: its time and its usage. */
export interface CachedUsage {
  /** Time of the response, in milliseconds since the epoch. */
  readonly at: number
  readonly usage: TokenUsage | null
}

export interface ProposedCall {
  /** Id of the tool call; null if the model sent none. The agent then generates an id. */
  readonly id: string | null
  readonly name: string
  readonly args: ToolArguments
}

/**
 * A service that calls a model. `call` resolves with the raw response
 * (docs/semantics.md#model-calls), which the caller parses and validates. If the service knows the
 * cause of a failure, `call` rejects with a {@link CallFailedError}. It must stop when `signal`
 * aborts.
 */
export interface ModelService {
  /**
   * Whether this service's responses can contain `exitFlow` and the other signals. If false or
   * absent, a root agent's final response ends the run in the graph-compose dialect
   * (docs/semantics.md#models-by-name).
   */
  readonly signals?: boolean
  call(request: ModelRequest, options: CallOptions): Promise<unknown>
}

/** Options of a service call. Each field is computed only when it is first read. */
export interface CallOptions {
  /** Aborts when the call is stopped or times out. The response is then no longer needed. */
  readonly signal: AbortSignal
  /** Receives the streamed text of the response. Absent if no subscriber can receive the text. */
  readonly live?: DeltaStream | undefined
}

/**
 * A service that executes tool calls. It resolves with a JSON value, and rejects and aborts like a
 * {@link ModelService}.
 */
export interface ToolService {
  call(request: ToolRequest, options: CallOptions): Promise<unknown>
}

/**
 * A request to run a host function up to its next step (docs/semantics.md#host-functions). The
 * function always starts from the beginning. Its earlier steps are not executed again, but return
 * their recorded results from `steps`.
 */
export interface HostRequest extends CallIdentity {
  readonly service: string
  readonly input: unknown
  /**
   * The session state when the function was first called. It includes artifacts, under hidden keys.
   * The object is created when it is first read.
   */
  readonly state: JsonObject
  readonly steps: readonly HostStep[]
  /** Ids of the agents that the function can run with `runAgent`. */
  readonly agents: readonly string[]
  /**
   * The tool call that the function executes, or to which the callback belongs; null if there is
   * none.
   */
  readonly toolCall: HostToolCall | null
  /** Arguments from which the service creates the tool or callback. null for other services. */
  readonly factory: JsonObject | null
}

/** A model's tool call in the form that host functions receive. */
export interface HostToolCall {
  readonly id: string
  readonly tool: string
}

/**
 * The recorded result of a host function's step. When the function runs again, the promise of a
 * step that failed rejects again.
 */
export type HostStep = {
  /** Kind of the step: a call of `runAgent`, `ask` or `step`. */
  readonly type: "agent" | "ask" | "step"
  /** Name of the agent or of the step, or the prompt of the question. */
  readonly name: string
  /** State changes of the agent that the step ran. Empty if the step ran no agent. */
  readonly changed: HostChanges
  /**
   * Set if the step ran at the same time as other steps. When the function runs again, such a step
   * is matched by its name instead of its order.
   */
  readonly concurrent?: true
} & (
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: string
      /** Set if the question expired without an answer. */
      readonly isExpired?: true
    }
)

export interface HostChanges {
  readonly set: JsonObject
  readonly removed: readonly string[]
}

/** The failure of a call as plain JSON. It is stored in the journal and passed to the chart. */
export interface CallFailure {
  readonly code: ErrorCode
  /** Message for users. It contains no secrets. */
  readonly message: string
  /**
   * Whether another attempt may succeed: true for network errors, timeouts, the statuses 408, 429
   * and 5xx, and malformed responses.
   */
  readonly retryable: boolean
  /** HTTP status of the response; absent if there was no response. */
  readonly status?: number
  /** Delay that the service requested with `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /** Set if the conversation is too long for the model. An identical call would fail again. */
  readonly reason?: "context_too_long"
  /**
   * Owner of the exceeded budget. Set only if a person must decide whether to extend the budget.
   */
  readonly asksFor?: BudgetOwner
}

/**
 * The result of a leaf actor, such as a model call: either the value or the failure, and the time
 * `at` in milliseconds since the epoch. Both interpreters and the journal use this format.
 */
export type Envelope<Value = unknown> =
  | { readonly ok: true; readonly value: Value; readonly at: number }
  | { readonly ok: false; readonly error: CallFailure; readonly at: number }

/** The error with which a service reports why a call failed. `failure` contains the details. */
export class CallFailedError extends AgentStatechartsError {
  override readonly name = "CallFailedError"
  readonly failure: CallFailure

  constructor(failure: CallFailure, options?: { readonly cause?: unknown }) {
    super(failure.code, failure.message, options)
    this.failure = failure
  }
}
