import type { JsonObject } from "../../data/json-object.js"
import type { Activity } from "../activity.js"
import type { HttpEndpoint } from "../services.js"

/**
 * A Graph Compose graph in a chart (docs/semantics.md#task-graphs). It is the input of the machine
 * `taskGraph`, and drawings are created from it. References between nodes are indexes in `nodes`.
 */
export interface ChartTaskGraph {
  readonly nodes: readonly ChartTask[]
  /** Address to which the run posts its progress. */
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

/** A node of a task graph. The type of the node determines which optional fields are set. */
export interface ChartTask {
  readonly id: string
  readonly type: TaskType
  readonly dependencies: readonly number[]
  /** The request of an http, destination, error_boundary or source_iterator node. */
  readonly endpoint?: HttpEndpoint
  readonly activity?: Activity
  /**
   * Set if the node fails when one of its templates has no value. Absent: a template without a
   * value is omitted.
   */
  readonly strict?: true
  readonly outputMapping?: JsonObject
  readonly validation?: { readonly input?: JsonObject; readonly output?: JsonObject }
  readonly pollUntil?: readonly string[]
  readonly terminateWhen?: readonly string[]
  readonly continueTo?: readonly { readonly to: number; readonly when: string }[]
  /** Indexes of the nodes whose failures an error_boundary handles. */
  readonly protects?: readonly number[]
  readonly loop?: ChartLoop
  /** The workflow of an adk node. */
  readonly workflow?: ChartTaskWorkflow
  /**
   * Time until the request of a confirmation node expires, in milliseconds. Absent: it never
   * expires.
   */
  readonly expiresInMs?: number
}

/** The loop of a forEach or source_iterator node. */
export interface ChartLoop {
  readonly body: ChartTaskGraph
  /**
   * Template whose value is the list of items. Absent for a source_iterator, which reads the items
   * from its HTTP response.
   */
  readonly items?: string
  readonly concurrency?: number
  readonly continueOnError?: true
  /**
   * Maximum number of failed children if `continueOnError` is set. If more children fail, the node
   * fails.
   */
  readonly maxFailures?: number
  /** Maximum duration of each child, in milliseconds. */
  readonly timeoutMs?: number
  /** Retry policy of failed children. */
  readonly retry?: Activity
}

/** The workflow that an adk node runs. It is a separate chart. */
export interface ChartTaskWorkflow {
  /** Key in `charts` of the chart that contains the graph. */
  readonly chart: string
  /**
   * Template of the prompt; null if the node sets no prompt. The strings in `state`, the initial
   * state of the workflow, are also templates.
   */
  readonly prompt: string | null
  readonly state: JsonObject
  /** Timeout of the node, in milliseconds. If it is exceeded, the node fails. */
  readonly timeoutMs?: number
  /**
   * The `maxDuration` of the workflow, in milliseconds. If it is exceeded, the workflow ends with
   * status `limit`.
   */
  readonly maxDurationMs?: number
}
