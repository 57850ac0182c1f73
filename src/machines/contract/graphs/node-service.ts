import type { JsonObject } from "../../data/json-object.js"
import type { NodeScope } from "../../data/node-scope.js"
import type { CallFailure, CallIdentity, CallOptions, HttpEndpoint } from "../services.js"

/** The HTTP response to the request of a graph node. Header names are in lower case. */
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
  /** Whether a template without a value is an error. */
  readonly strict: boolean
  /** Time at which the node started: the value of `$millis()`, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly task: NodeTask
}

/** The operation that a node service executes for a graph node. */
export type NodeTask =
  /** Sends the request. The result is a {@link NodeAnswer}. */
  | {
      readonly type: "send"
      /**
       * The failure that the node handles, if the node is an error_boundary. It is added to the
       * body of the request.
       */
      readonly errorContext?: ErrorContext
      readonly pollUntil?: readonly string[]
      readonly outputMapping?: JsonObject
    }
  /**
   * Fills the templates in a value. The result is the filled value, or null if its template has no
   * value.
   */
  | { readonly type: "fill"; readonly value: unknown }
  /** Posts a notification to the endpoint. The result is null. */
  | { readonly type: "notify"; readonly notification: GraphNotification }
  /** Evaluates conditions. The result is a list of booleans in the same order. */
  | {
      readonly type: "check"
      readonly conditions: readonly string[]
      /**
       * Number of conditions at the start of the list that can end the workflow. If one of these is
       * true, the conditions after them are not evaluated, and the result does not contain them.
       */
      readonly ending?: number
      readonly response: NodeResponse
    }

/**
 * A notification about the progress of a run. The posted request contains `time` under the name
 * `timestamp`.
 */
export interface GraphNotification {
  readonly workflowId: string
  readonly runId: string
  readonly type: "node" | "completion"
  readonly data: JsonObject
  /** Time of the event in milliseconds since the epoch. */
  readonly time: number
}

/** The failure of another node that an error_boundary handles. */
export interface ErrorContext {
  readonly message: string
  readonly failedNodeId: string
  /** Time of the failure in milliseconds since the epoch. */
  readonly timestamp: number
}

/** The result of an HTTP request to which the server responded. */
export interface NodeAnswer {
  readonly response: NodeResponse
  /** Set if the status of the response is an error, or if an expression failed. */
  readonly failure?: CallFailure
  /** Set if a condition of `pollUntil` is still false, so the request must be repeated. */
  readonly polls?: true
  /** The evaluated `outputMapping` of the node. Absent if the node has none. */
  readonly mapped?: JsonObject
}

/**
 * A service that sends the requests of graph nodes and evaluates their templates. Like a
 * `ModelService`, it rejects with a `CallFailedError` and stops when the signal aborts.
 */
export interface NodeService {
  call(request: NodeRequest, options: CallOptions): Promise<unknown>
}

/**
 * Returns whether a leaf actor's call posts a notification. Notifications are still posted after a
 * policy has ended the run.
 */
export const isNotification = (src: string, input: unknown): boolean =>
  src === "callNode" && (input as { readonly request: NodeRequest }).request.task.type === "notify"
