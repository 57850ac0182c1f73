import type { JsonObject } from "../../data/json-object.js"
import type { Activity } from "../activity.js"
import type { HttpEndpoint } from "../services.js"

/**
 * A Graph Compose graph in a chart (docs/semantics.md#task-graphs). A chart contains it as the
 * input of the machine `taskGraph`. Drawings also use it. Nodes refer to each other by their
 * indexes in `nodes`.
 */
export interface ChartTaskGraph {
  readonly nodes: readonly ChartTask[]
  /**
   * URL to which the run posts a notification after each node and at its end. If absent, nothing is
   * posted.
   */
  readonly webhookUrl?: string
}

export type TaskType =
  | "http"
  | "adk"
  | "forEach"
  | "endForEach"
  | "error_boundary"
  | "confirmation"
  | "source_iterator"
  | "destination"

/**
 * A node of a Graph Compose graph. The type of the node determines which optional fields are set.
 */
export interface ChartTask {
  readonly id: string
  readonly type: TaskType
  readonly dependencies: readonly number[]
  /** The HTTP request of an http, destination, error_boundary or source_iterator node. */
  readonly endpoint?: HttpEndpoint
  readonly activity?: Activity
  /**
   * Set if the node fails when one of its templates has no value. If absent, such a template is
   * omitted from the request.
   */
  readonly strict?: true
  readonly outputMapping?: JsonObject
  readonly validation?: { readonly input?: JsonObject; readonly output?: JsonObject }
  readonly pollUntil?: readonly string[]
  readonly terminateWhen?: readonly string[]
  readonly continueTo?: readonly { readonly to: number; readonly when: string }[]
  /** Indexes of the nodes whose failures this error_boundary node handles. */
  readonly protects?: readonly number[]
  readonly loop?: ChartLoop
  /** The workflow that an adk node runs. */
  readonly workflow?: ChartTaskWorkflow
  /**
   * Time until the approval request of a confirmation node expires, in milliseconds. If absent, it
   * never expires.
   */
  readonly expiresInMs?: number
}

/**
 * Settings of the loop that a forEach or source_iterator node runs. Each item runs the nodes in
 * `body`.
 */
export interface ChartLoop {
  readonly body: ChartTaskGraph
  /**
   * Template whose value is the list of items. Absent for a source_iterator, because the items are
   * in its HTTP response.
   */
  readonly items?: string
  readonly concurrency?: number
  readonly continueOnError?: true
  /**
   * Maximum number of failed items if `continueOnError` is set. If more items fail, the loop node
   * fails. If absent, there is no maximum.
   */
  readonly maxFailures?: number
  /** Maximum duration for each item, in milliseconds. If absent, there is no limit. */
  readonly timeoutMs?: number
  /** Retry settings for failed items. If absent, a failed item is not retried. */
  readonly retry?: Activity
}

/**
 * The workflow that a graph node of type `adk` runs. The workflow is compiled to a chart of its
 * own.
 */
export interface ChartTaskWorkflow {
  /**
   * Key under which the chart of the graph contains the workflow's chart, in its field `charts`.
   */
  readonly chart: string
  /** Template of the workflow's prompt. null if the node sets no prompt. */
  readonly prompt: string | null
  readonly state: JsonObject
  /**
   * Maximum duration of the node, in milliseconds. A node that takes longer fails. If absent, there
   * is no limit.
   */
  readonly timeoutMs?: number
  /**
   * The `maxDuration` of the workflow, in milliseconds. A workflow that takes longer ends with
   * status `limit`. If absent, there is no limit.
   */
  readonly maxDurationMs?: number
}
