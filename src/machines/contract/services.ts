import type { JsonObject } from "../data/json-object.js"
import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"
import type { BudgetOwner, TokenUsage } from "./budget.js"
import type { DeltaStream } from "./delta-stream.js"
import type { HttpOperation } from "../data/http-operation.js"
import type { GraphValues } from "../data/node-scope.js"
import type { UserContent } from "./user-content.js"

/** One message of a conversation with a model (docs/semantics.md#model-calls). */
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

/** The declaration of a tool, which the model receives. `parameters` is a JSON schema. */
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
 * are filled when the request is sent.
 */
export interface HttpEndpoint {
  readonly url: string
  readonly method: string
  /** Headers of the request. A value that is not a string is sent as JSON. */
  readonly headers?: Readonly<Record<string, string | JsonObject | readonly unknown[]>>
  /** Fields that are added to the request body, or a template whose value is the body. */
  readonly body?: JsonObject | string
  /**
   * Set if the endpoint is an operation of an OpenAPI document. The request then contains only the
   * arguments of the call, at the locations that the document defines.
   */
  readonly operation?: HttpOperation
}

/** Fields of all requests to services. They identify the call and the agent that makes it. */
export interface CallIdentity {
  readonly runId: string
  /** Id of the agent that makes the call. */
  readonly agent: string
  /** Path of the calling agent in the run, such as `pipeline/rounds[2]/writer`. */
  readonly path: string
  /**
   * Name of the agent's parallel branch, such as `outer.0.inner.1`. null outside parallel blocks.
   */
  readonly branch: string | null
  /**
   * Key that identifies the call, such as `r1/rounds[0]/writer#1`. It is the same for all attempts
   * and after a restart.
   */
  readonly idempotencyKey: string
  /** Number of the attempt. The first attempt has the number 1. */
  readonly attempt: number
  /** Maximum number of attempts, including the first. Absent if failed calls are not retried. */
  readonly maximumAttempts?: number
}

/** The request of a model call. The field `state` is computed when it is first read. */
export interface ModelRequest extends CallIdentity {
  /**
   * Name of a registered model, which is the agent's own model or the model of a route or fallback.
   * null if the agent calls its model at an `endpoint`.
   */
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  /** The session state without counters and hidden keys (docs/semantics.md#model-calls). */
  readonly state: JsonObject
  /** The `context` of the workflow, which templates of the endpoint can read. */
  readonly context: JsonObject
  /** Graph results and loop items for templates of the endpoint. Absent outside graphs. */
  readonly graph?: GraphValues
  /** The agent's `generateContentConfig`, which adapters may ignore. */
  readonly generationConfig?: JsonObject
  /** JSON schema of the final text, for models with structured output (adk dialect only). */
  readonly outputSchema?: JsonObject
  /** Set if the model must correct its final text because the text did not match `outputSchema`. */
  readonly mustAnswer?: true
}

/** The request of a tool call. The field `state` is computed when it is first read. */
export interface ToolRequest extends CallIdentity {
  readonly tool: string
  readonly endpoint: HttpEndpoint | null
  readonly callId: string
  readonly arguments: ToolArguments
  readonly state: JsonObject
  readonly context: JsonObject
  /** Values of the enclosing graph for templates of the endpoint. Absent outside graphs. */
  readonly graph?: GraphValues
  /**
   * Name of the secret that a person allowed this call to use. It is never the value of the secret.
   * null if no secret is allowed. A tool requests consent by returning `{ pending: true, auth }`.
   */
  readonly grantedSecret: string | null
}

/** A parsed and validated response of a model. */
export interface ModelAnswer {
  readonly content: string | null
  readonly toolCalls: readonly ProposedCall[]
  readonly exitFlow: boolean
  readonly escalate: boolean
  readonly waitForUserInput: boolean
  readonly hitlRequest: { readonly prompt: string; readonly actionDetails: unknown } | null
  readonly usage: TokenUsage | null
  /** Set if the service declares that its responses can contain signals such as `exitFlow`. */
  readonly signals?: true
  /** Set if the response comes from the cache. The model was not called, and `usage` is null. */
  readonly cached?: CachedUsage
  /** Error message if the cache failed and the model was called instead. */
  readonly cacheError?: string
}

/** The time and the token usage of the model call from which a cached response comes. */
export interface CachedUsage {
  /** Time of the original response, in milliseconds since the epoch. */
  readonly at: number
  readonly usage: TokenUsage | null
}

export interface ProposedCall {
  /** Id of the tool call. If the model sent no id, it is null, and the agent generates an id. */
  readonly id: string | null
  readonly name: string
  readonly args: ToolArguments
}

/**
 * A service that calls a model. `call` resolves with the raw response
 * (docs/semantics.md#model-calls), which the run then parses and validates. If the cause of a
 * failure is known, `call` rejects with a {@link CallFailedError}. The call must stop when `signal`
 * aborts.
 */
export interface ModelService {
  /**
   * Whether the responses of this service can contain signals such as `exitFlow`. If false or
   * absent, the final response of the root agent ends the run in the graph-compose dialect
   * (docs/semantics.md#models-by-name).
   */
  readonly signals?: boolean
  call(request: ModelRequest, options: CallOptions): Promise<unknown>
}

/** Options of a service call. Each field is created when it is first read. */
export interface CallOptions {
  /** Aborts when the call is stopped or times out. The response is then ignored. */
  readonly signal: AbortSignal
  /** Stream for the text of the response. Absent if the text is not streamed. */
  readonly live?: DeltaStream | undefined
}

/**
 * A service that executes tool calls. `call` resolves with a JSON value. If the cause of a failure
 * is known, it rejects with a {@link CallFailedError}. The call must stop when the signal aborts.
 */
export interface ToolService {
  call(request: ToolRequest, options: CallOptions): Promise<unknown>
}

/**
 * A request to run a host function until its next step (docs/semantics.md#host-functions). The
 * function always starts from its beginning. Its earlier steps are not executed again, but return
 * their recorded results from `steps`.
 */
export interface HostRequest extends CallIdentity {
  readonly service: string
  readonly input: unknown
  /**
   * The session state at the first call of the function. It includes artifacts under hidden keys.
   * The object is created when it is first read.
   */
  readonly state: JsonObject
  readonly steps: readonly HostStep[]
  /** Ids of the agents that the host function can run with `runAgent`. */
  readonly agents: readonly string[]
  /**
   * For a tool, the tool call that the function executes. For a callback, the tool call for which
   * it runs. null for other functions.
   */
  readonly toolCall: HostToolCall | null
  /**
   * Arguments from which the host function creates the tool or callback. null if it is itself the
   * tool or callback, or has another purpose.
   */
  readonly factory: JsonObject | null
}

/** A tool call of a model, as host functions receive it. */
export interface HostToolCall {
  readonly id: string
  readonly tool: string
}

/**
 * The recorded result of one step of a host function. When the function runs again, the step
 * returns this result. The promise of a failed step rejects again.
 */
export type HostStep = {
  /** The method whose call created the step. `agent` stands for the method `runAgent`. */
  readonly type: "agent" | "ask" | "step"
  /** Name of the agent or of the step. For a question, its prompt. */
  readonly name: string
  /** State changes of the agent that this step ran. Empty if the step did not run an agent. */
  readonly changed: HostChanges
  /**
   * Set if this step of the function ran at the same time as other steps. When the function runs
   * again, the step is found by its name instead of its position.
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

/** The failure of a call as plain JSON. The journal stores it, and the chart receives it. */
export interface CallFailure {
  readonly code: ErrorCode
  /** Error message for users. It contains no secrets. */
  readonly message: string
  /**
   * Whether another attempt may succeed. True for network errors, timeouts, malformed responses and
   * the HTTP statuses 408, 429 and 5xx.
   */
  readonly retryable: boolean
  /** HTTP status of the response. Absent if there was no response. */
  readonly status?: number
  /** Delay that the service requested with the header `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /** Set if the conversation is too long for the model. An identical call would fail again. */
  readonly reason?: "context_too_long"
  /**
   * The owner of the exceeded budget, which is the run or the agent. Set only if a person must
   * decide whether to extend the budget.
   */
  readonly asksFor?: BudgetOwner
}

/**
 * The result of a call, such as a model call. It contains the value or the failure, and the time
 * `at` in milliseconds since the epoch. It has the same format in XState, in the driver (the
 * interpreter of this package) and in the journal.
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
