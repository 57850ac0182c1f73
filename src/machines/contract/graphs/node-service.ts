import type { JsonObject } from "../../data/json-object.js"
import type { NodeScope } from "../../data/node-scope.js"
import type { CallFailure, CallIdentity, CallOptions, HttpEndpoint } from "../services.js"

/** The HTTP response that a graph node received. Header names are in lower case. */
export interface NodeResponse {
  readonly data: unknown
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A request to a `NodeService`. It sends the HTTP request of a graph node, or evaluates the
 * templates or conditions of the node.
 */
export interface NodeRequest extends CallIdentity {
  /** Id of the graph node. */
  readonly node: string
  /** The HTTP endpoint of the node. null if only templates or conditions are evaluated. */
  readonly endpoint: HttpEndpoint | null
  readonly scope: NodeScope
  /** Whether the node fails if one of its templates has no value. */
  readonly strict: boolean
  /**
   * Time at which the node started, in milliseconds since the epoch. Templates read it with
   * `$millis()`.
   */
  readonly startedAt: number
  readonly task: NodeTask
}

/** The operation that a `NodeService` executes for a graph node. */
export type NodeTask =
  /** Sends the HTTP request of the node. The result is a {@link NodeAnswer}. */
  | {
      readonly type: "send"
      /**
       * The failure that an error_boundary node handles. It is added to the request body. Absent
       * for other nodes.
       */
      readonly errorContext?: ErrorContext
      readonly pollUntil?: readonly string[]
      readonly outputMapping?: JsonObject
    }
  /**
   * Fills the templates in a value. The result is the filled value, or null if the value is a
   * single template that has no value.
   */
  | { readonly type: "fill"; readonly value: unknown }
  /** Posts a webhook notification to the endpoint. The result is null. */
  | { readonly type: "notify"; readonly notification: GraphNotification }
  /**
   * Evaluates conditions, which can read the HTTP response of the node. The result is a list of
   * booleans in the order of `conditions`.
   */
  | {
      readonly type: "check"
      readonly conditions: readonly string[]
      /**
       * Number of conditions, from the start of `conditions`, that end the workflow if they are
       * true. If one of them is true, the later conditions are not evaluated. The list of booleans
       * then has only this length.
       */
      readonly ending?: number
      readonly response: NodeResponse
    }

/**
 * A notification that a run posts to its webhook after a node and at its end. The posted body
 * contains `time` under the name `timestamp`.
 */
export interface GraphNotification {
  readonly workflowId: string
  readonly runId: string
  readonly type: "node" | "completion"
  readonly data: JsonObject
  /** Time of the reported progress, in milliseconds since the epoch. */
  readonly time: number
}

/**
 * The failure that an error_boundary node handles: the message, the id of the failed node, and the
 * time.
 */
export interface ErrorContext {
  readonly message: string
  readonly failedNodeId: string
  /** Time of the failure, in milliseconds since the epoch. */
  readonly timestamp: number
}

/**
 * The result of a node's HTTP request. It contains the response of the server, which can have an
 * error status.
 */
export interface NodeAnswer {
  readonly response: NodeResponse
  /**
   * The failure of the node. Set if the status of the response is an error, or if an expression
   * failed.
   */
  readonly failure?: CallFailure
  /** Set if a condition of `pollUntil` is still false. The request must then be repeated. */
  readonly polls?: true
  /** The value of the node's `outputMapping`. Absent if the node has no `outputMapping`. */
  readonly mapped?: JsonObject
}

/**
 * A service that sends the HTTP requests of graph nodes and evaluates their templates. Like a
 * `ModelService`, it rejects with a `CallFailedError`, and it stops when the signal aborts.
 */
export interface NodeService {
  call(request: NodeRequest, options: CallOptions): Promise<unknown>
}

/**
 * Returns whether a call of the actor `src` posts a webhook notification. After a policy has ended
 * the run, only these calls are still made.
 */
export const isNotification = (src: string, input: unknown): boolean =>
  src === "callNode" && (input as { readonly request: NodeRequest }).request.task.type === "notify"
