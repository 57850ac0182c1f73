import type { JsonObject } from "../data/json-object.js"
import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"
import type { BudgetOwner, TokenUsage } from "./budget.js"
import type { DeltaStream } from "./delta-stream.js"
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

/** How a tool is declared to a model. `parameters` is a JSON schema. */
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
  /** Values that are not strings are sent as JSON. */
  readonly headers?: Readonly<Record<string, string | JsonObject | readonly unknown[]>>
  /** Fields of the request body, or one template that returns them. */
  readonly body?: JsonObject | string
}

/** Fields that all service calls have in common. */
export interface CallIdentity {
  readonly runId: string
  /** Id of the agent that makes the call. */
  readonly agent: string
  /**
   * Path of that agent in the run, including iterations and tool calls:
   * `pipeline/rounds[2]/writer`.
   */
  readonly path: string
  /** Name of the parallel branch, `outer.0.inner.1`; null outside of parallel blocks. */
  readonly branch: string | null
  /**
   * Key of the call in the form `runId/path#n`. It is the same for all attempts and after a
   * restart.
   */
  readonly idempotencyKey: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** One call of a model. `state` is built when it is first read. */
export interface ModelRequest extends CallIdentity {
  /** Name of a registered model; null if the agent has its own `endpoint`. */
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  /** The session state that a service receives (docs/semantics.md#model-calls). */
  readonly state: JsonObject
  /** `context` of the workflow, for templates. */
  readonly context: JsonObject
  /** `generateContentConfig` of the agent, for adapters that support it. */
  readonly generationConfig?: JsonObject
  /** JSON schema of the final text (adk), for models that support structured output. */
  readonly outputSchema?: JsonObject
  /**
   * Set if the last response violated the schema. The model must now answer with JSON and without
   * tool calls.
   */
  readonly mustAnswer?: true
}

/** One call of a tool. `state` is built when it is first read. */
export interface ToolRequest extends CallIdentity {
  readonly tool: string
  readonly endpoint: HttpEndpoint | null
  readonly callId: string
  readonly arguments: ToolArguments
  readonly state: JsonObject
  readonly context: JsonObject
  /**
   * Name of the secret that a person granted to this call (`{pending: true, auth}`); never its
   * value.
   */
  readonly grantedSecret: string | null
}

/** A parsed model response (see `readModelAnswer`). */
export interface ModelAnswer {
  readonly content: string | null
  readonly toolCalls: readonly ProposedCall[]
  readonly exitFlow: boolean
  readonly escalate: boolean
  readonly waitForUserInput: boolean
  readonly hitlRequest: { readonly prompt: string; readonly actionDetails: unknown } | null
  readonly usage: TokenUsage | null
  /** Set if the model service declares `signals`. */
  readonly signals?: true
}

export interface ProposedCall {
  /** null if the model sent none. The agent then generates one. */
  readonly id: string | null
  readonly name: string
  readonly args: ToolArguments
}

/**
 * A model service. Resolves with the raw response (docs/semantics.md#model-calls), which the caller parses and validates. Rejects with
 * {@link CallFailedError} if it knows the cause of a failure. Must stop when `signal` aborts.
 */
export interface ModelService {
  /**
   * Declares that the responses of this service can contain `exitFlow` and the other signals.
   * Without it, the final response of a root agent with this model ends the run in the
   * graph-compose dialect (docs/semantics.md#models-by-name).
   */
  readonly signals?: boolean
  call(request: ModelRequest, options: CallOptions): Promise<unknown>
}

/**
 * Options of a service call. Both fields are created when they are first read, because most local
 * calls read neither.
 */
export interface CallOptions {
  /**
   * Aborts when the response is no longer needed. The reason of the signal is either a stop or a
   * timeout.
   */
  readonly signal: AbortSignal
  /** Receives the text of a model while it streams; absent if there can be no subscriber. */
  readonly live?: DeltaStream | undefined
}

/** A tool service. Resolves with any JSON value. Failures and aborts work as in {@link ModelService}. */
export interface ToolService {
  call(request: ToolRequest, options: CallOptions): Promise<unknown>
}

/**
 * One run of a host function up to its next step (docs/semantics.md#host-functions). `steps` are
 * the recorded results of its earlier steps. When the function runs again, these steps return the
 * recorded results and are not executed.
 */
export interface HostRequest extends CallIdentity {
  readonly service: string
  readonly input: unknown
  /**
   * The session state when the function was first called, with artifacts under hidden keys. It is
   * built when it is first read.
   */
  readonly state: JsonObject
  readonly steps: readonly HostStep[]
  /** Ids of the agents that the function can run. */
  readonly agents: readonly string[]
  /** The tool call that the function executes or wraps; null if there is none. */
  readonly toolCall: HostToolCall | null
  /**
   * Arguments for a service that creates the tool or callback; null if the service is the function
   * itself.
   */
  readonly factory: JsonObject | null
}

/** A tool call of a model, as a host function receives it. */
export interface HostToolCall {
  readonly id: string
  readonly tool: string
}

/**
 * Recorded result of a step of a host function. A failed step rejects the promise that the
 * function awaits.
 */
export type HostStep = {
  /** `runAgent`, `ask` or `step`. */
  readonly type: "agent" | "ask" | "step"
  /** Name of the agent or the step, or the prompt of a question. */
  readonly name: string
  /** State changes of other agents during the step. */
  readonly changed: HostChanges
} & (
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: string
      /** Set if a question expired without an answer. */
      readonly isExpired?: true
    }
)

export interface HostChanges {
  readonly set: JsonObject
  readonly removed: readonly string[]
}

/** How one run of a host function ended: it returned or it started a step. */
export type HostOutcome = {
  /** What the function itself changed in the session state since its last step. */
  readonly changed: HostChanges
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
  readonly escalates: boolean
  /** The agent that takes over the conversation; absent if there is no handoff. */
  readonly transfersTo?: string
  /** Set if the result of the tool ends the turn. Otherwise the model is called again. */
  readonly skipsSummarization?: true
} & (
  | {
      readonly type: "returned"
      readonly value: unknown
      /** `args` of the input after the function ran; absent if the input had no `args`. */
      readonly args?: unknown
    }
  | { readonly type: "agent"; readonly name: string }
  | {
      readonly type: "ask"
      readonly name: string
      readonly details: unknown
      /** How long the question stays open, in milliseconds; absent: no limit. */
      readonly expiresInMs?: number
      readonly onExpiry?: "reject" | "fail" | "continue"
    }
  | ({ readonly type: "step"; readonly name: string } & (
      | { readonly ok: true; readonly value: unknown }
      | { readonly ok: false; readonly error: string }
    ))
)

/** Failure of a call as plain JSON. It is stored in the journal and sent to the chart. */
export interface CallFailure {
  readonly code: ErrorCode
  /** Message for people. It contains no secrets. */
  readonly message: string
  /**
   * Whether another attempt may help: network errors, timeouts, 408, 429, 5xx, malformed bodies.
   */
  readonly retryable: boolean
  /** HTTP status of the response; absent if there was no response. */
  readonly status?: number
  /** Delay that the service requested with `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /**
   * Set if a budget is used up and a person must decide whether to extend it by the same amount.
   */
  readonly asksFor?: BudgetOwner
}

/** Result of a leaf actor. Both interpreters and the journal use the same time and error texts. */
export type Envelope<Value = unknown> =
  | { readonly ok: true; readonly value: Value; readonly at: number }
  | { readonly ok: false; readonly error: CallFailure; readonly at: number }

/** Thrown by services that know why a call failed. */
export class CallFailedError extends AgentStatechartsError {
  override readonly name = "CallFailedError"
  readonly failure: CallFailure

  constructor(failure: CallFailure, options?: { readonly cause?: unknown }) {
    super(failure.code, failure.message, options)
    this.failure = failure
  }
}
