import type { JsonObject } from "../data/json-object.js"
import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"
import type { BudgetOwner, TokenUsage } from "./budget.js"
import type { UserContent } from "./user-content.js"

/** One message of the conversation that a model service receives (docs/semantics.md#model-calls). */
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
        readonly args: Arguments
      }
    }

export interface ToolPart {
  readonly function_response: {
    readonly id: string
    readonly name: string
    readonly response: JsonObject
  }
}

export type Arguments = JsonObject

/** How a tool is declared to a model. `parameters` is a JSON schema. */
export interface ToolDeclaration {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }
}

/** Where an agent or a tool is served over HTTP; every text may hold `{{ JSONata }}` templates, filled at request time. */
export interface HttpEndpoint {
  readonly url: string
  readonly method: string
  /** A value that is not a text is sent as JSON. */
  readonly headers?: Readonly<Record<string, string | JsonObject | readonly unknown[]>>
  /** Fields of the request, or one template that gives them. */
  readonly body?: JsonObject | string
}

/** What every call of a service carries, whatever its kind. */
export interface CallIdentity {
  readonly runId: string
  /** Id of the agent that makes the call. */
  readonly agent: string
  /** Where that agent stands in the run, iterations and tool calls included: `pipeline/rounds[2]/writer`. */
  readonly path: string
  /** Name of the parallel branch, `outer.0.inner.1`; null outside of parallel blocks. */
  readonly branch: string | null
  /** The same over all attempts of one call and after a restart; `runId/path#n`. */
  readonly idempotencyKey: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** One call of a model. `state` is built when it is first read. */
export interface ModelRequest extends CallIdentity {
  /** Name of a registered model; null where the agent has an `endpoint` of its own. */
  readonly model: string | null
  readonly endpoint: HttpEndpoint | null
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  /** The session state that a service receives (docs/semantics.md#model-calls). */
  readonly state: JsonObject
  /** `context` of the workflow, for templates. */
  readonly context: JsonObject
  /** `generateContentConfig` of the agent, for adapters that know what to do with it. */
  readonly generationConfig?: JsonObject
  /** JSON schema of the final text (adk), for adapters whose model can be held to one. */
  readonly outputSchema?: JsonObject
  /** The model has had its say and broke the schema: it is to answer with JSON now, and call no tools. */
  readonly mustAnswer?: true
}

/** One call of a tool. `state` is built when it is first read. */
export interface ToolRequest extends CallIdentity {
  readonly tool: string
  readonly endpoint: HttpEndpoint | null
  readonly callId: string
  readonly arguments: Arguments
  readonly state: JsonObject
  readonly context: JsonObject
  /** Name of the secret that a person granted to this call (`{pending: true, auth}`); never its value. */
  readonly grantedSecret: string | null
}

/** What a model answered, read from the raw answer of its service (see `readModelAnswer`). */
export interface ModelAnswer {
  readonly content: string | null
  readonly toolCalls: readonly ProposedCall[]
  readonly exitFlow: boolean
  readonly escalate: boolean
  readonly waitForUserInput: boolean
  readonly hitlRequest: { readonly prompt: string; readonly actionDetails: unknown } | null
  readonly usage: TokenUsage | null
}

export interface ProposedCall {
  /** null where the model gave none: the agent then makes one. */
  readonly id: string | null
  readonly name: string
  readonly args: Arguments
}

/**
 * A model service. Resolves with the raw response (docs/semantics.md#model-calls), which the caller parses and validates. Rejects with
 * {@link CallFailedError} if it knows the cause of a failure. Must stop when `signal` aborts.
 */
export interface ModelService {
  call(request: ModelRequest, options: CallOptions): Promise<unknown>
}

/** What a service has beside its request. Both parts are made when they are first read: most calls in this process read neither. */
export interface CallOptions {
  /** Aborts when nobody waits for the answer any more: its reason says whether the call was stopped or has run out of time. */
  readonly signal: AbortSignal
  /** For models: where their words are told as they come. Absent where nobody can listen. */
  readonly live?: LiveAnswer | undefined
}

/**
 * Where a service tells what its model says while it says it. Whatever is told, what counts is the answer: deltas are in no
 * journal, and a service that tells none is complete.
 */
export interface LiveAnswer {
  /** Whether anybody listens. Ask when the request is made, not when the call begins: whoever starts a run listens right after. */
  isHeard(): boolean
  /** More of the text of the answer. What is told after the call has ended is dropped. */
  tell(text: string): void
}

/** A tool behind a port. Resolves with any JSON value; a text is a text. Otherwise as {@link ModelService}. */
export interface ToolService {
  call(request: ToolRequest, options: CallOptions): Promise<unknown>
}

/**
 * One run of a host function up to its next step (docs/semantics.md#host-functions). `steps` are the recorded results of its earlier
 * steps. When the function runs again, these steps return the recorded results and are not executed.
 */
export interface HostRequest extends CallIdentity {
  readonly service: string
  readonly input: unknown
  /** The session state when the function was first called, artifacts among it under hidden keys; built when it is first read. */
  readonly state: JsonObject
  readonly steps: readonly HostStep[]
  /** Agents that it may run. */
  readonly agents: readonly string[]
  /** The tool call that it carries out, or stands around; null: none. */
  readonly toolCall: HostToolCall | null
  /** What the service is to make the tool or the callback from; null where it is one by itself. */
  readonly factory: JsonObject | null
}

/** A tool call of a model, as host code is told of it. */
export interface HostToolCall {
  readonly id: string
  readonly tool: string
}

/** What a step of host code came to. A step that failed rejects the promise that the function awaits. */
export type HostStep = {
  /** `runAgent`, `ask` or `step`. */
  readonly type: "agent" | "ask" | "step"
  /** Of the agent or the step; the prompt of a question. */
  readonly name: string
  /** What others changed in the session state meanwhile. */
  readonly changed: HostChanges
} & (
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: string
      /** Nobody has answered a question in time. */ readonly isExpired?: true
    }
)

export interface HostChanges {
  readonly set: JsonObject
  readonly removed: readonly string[]
}

/** How a stretch of host code ended: the function has returned, or it takes a step. */
export type HostOutcome = {
  /** What the function itself changed in the session state since its last step. */
  readonly changed: HostChanges
  readonly emitted: readonly { readonly type: string; readonly data: unknown }[]
  readonly escalates: boolean
  /** The agent that the conversation is handed to; absent: none. */
  readonly transfersTo?: string
  /** The result of the tool ends the turn; absent: the model is asked again. */
  readonly skipsSummarization?: true
} & (
  | {
      readonly type: "returned"
      readonly value: unknown
      /** `args` of its input as the function left them; absent where the input had none. */
      readonly args?: unknown
    }
  | { readonly type: "agent"; readonly name: string }
  | {
      readonly type: "ask"
      readonly name: string
      readonly details: unknown
      /** How long the question stays open, in milliseconds; absent: for ever. */ readonly expiresInMs?: number
      readonly onExpiry?: "reject" | "fail" | "continue"
    }
  | ({ readonly type: "step"; readonly name: string } & (
      | { readonly ok: true; readonly value: unknown }
      | { readonly ok: false; readonly error: string }
    ))
)

/** Why a call failed, as plain data: it goes into the journal and is fed to the chart. */
export interface CallFailure {
  readonly code: ErrorCode
  /** For people; holds no secret. */
  readonly message: string
  /** Whether another attempt may help: network errors, timeouts, 408, 429, 5xx, malformed bodies. */
  readonly retryable: boolean
  /** HTTP status, where there was one. */
  readonly status?: number
  /** What the service asked for with `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /** A person is to say whether this budget, which is used up, grows by as much again. */
  readonly asksFor?: BudgetOwner
}

/** How a leaf actor ends, always: time and error texts are the same in both interpreters and in the journal. */
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
