import type { JsonObject } from "../../data/json-object.js"
import type { NodeScope } from "../../data/node-scope.js"
import type { CallFailure, CallIdentity, CallOptions, HttpEndpoint } from "../services.js"

/** The response to the request of a graph node. Header names are in lower case. */
export interface NodeResponse {
  readonly data: unknown
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

/** A request to evaluate the templates of a graph node, or to send its HTTP request. */
export interface NodeRequest extends CallIdentity {
  /** Id of the node. */
  readonly node: string
  /** The HTTP request; null if only templates or conditions are evaluated. */
  readonly endpoint: HttpEndpoint | null
  readonly scope: NodeScope
  /** Whether a template that yields nothing is an error. */
  readonly strict: boolean
  /** Time at which the node started: the value of `$millis()`, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly task: NodeTask
}

/** What a service does for a graph node. */
export type NodeTask =
  /** Sends the request. The result is a {@link NodeAnswer}. */
  | {
      readonly type: "send"
      /** The failure that a boundary handles. It is added to the body of the request. */
      readonly errorContext?: ErrorContext
      readonly pollUntil?: readonly string[]
      readonly outputMapping?: JsonObject
    }
  /** Fills the templates of a value. The result is the value, or null if it yields nothing. */
  | { readonly type: "fill"; readonly value: unknown }
  /** Posts a notification to the endpoint. The result is null. */
  | { readonly type: "notify"; readonly notification: GraphNotification }
  /** Evaluates conditions. The result is a list of booleans. */
  | {
      readonly type: "check"
      readonly conditions: readonly string[]
      /**
       * Number of the first conditions that end the workflow. If one of them is true, the others are
       * not evaluated, and the result does not contain them.
       */
      readonly ending?: number
      readonly response: NodeResponse
    }

/** A notification about the progress of a run. The request contains `time` as `timestamp`. */
export interface GraphNotification {
  readonly workflowId: string
  readonly runId: string
  readonly type: "node" | "completion"
  readonly data: JsonObject
  /** Time of the event in milliseconds since the epoch. */
  readonly time: number
}

/** The failure that a boundary handles. */
export interface ErrorContext {
  readonly message: string
  readonly failedNodeId: string
  /** Time of the failure in milliseconds since the epoch. */
  readonly timestamp: number
}

/** Result of a request that a server has answered. */
export interface NodeAnswer {
  readonly response: NodeResponse
  /** Set if the status of the response is an error, or if an expression failed. */
  readonly failure?: CallFailure
  /** Set if a condition of `pollUntil` is not true. */
  readonly polls?: true
  /** The values of `outputMapping`. */
  readonly mapped?: JsonObject
}

/**
 * Sends the requests of graph nodes and evaluates their templates. Fails and aborts like a
 * `ModelService`.
 */
export interface NodeService {
  call(request: NodeRequest, options: CallOptions): Promise<unknown>
}

/** Returns whether a call posts a notification. It is made although a policy has ended the run. */
export const isNotification = (src: string, input: unknown): boolean =>
  src === "callNode" && (input as { readonly request: NodeRequest }).request.task.type === "notify"
