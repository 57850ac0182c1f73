import type { JsonObject } from "../../data/json-object.js"
import type { Activity } from "../activity.js"
import type { HttpEndpoint } from "../services.js"

/**
 * A Graph Compose graph in a chart (docs/semantics.md#task-graphs). It is the input of the machine
 * `taskGraph` and the source of drawings. References between nodes are indexes in `nodes`.
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

/** A node of a task graph. Its type determines which of the optional fields it has. */
export interface ChartTask {
  readonly id: string
  readonly type: TaskType
  readonly dependencies: readonly number[]
  /** The request of an http, destination, error_boundary or source_iterator node. */
  readonly endpoint?: HttpEndpoint
  readonly activity?: Activity
  /** Set if the node fails when a template yields nothing. */
  readonly strict?: true
  readonly outputMapping?: JsonObject
  readonly validation?: { readonly input?: JsonObject; readonly output?: JsonObject }
  readonly pollUntil?: readonly string[]
  readonly terminateWhen?: readonly string[]
  readonly continueTo?: readonly { readonly to: number; readonly when: string }[]
  /** The nodes that a boundary protects. */
  readonly protects?: readonly number[]
  readonly loop?: ChartLoop
  /** The workflow of an adk node. */
  readonly workflow?: ChartTaskWorkflow
  /** How long a confirmation stays open, in milliseconds; absent: no limit. */
  readonly expiresInMs?: number
}

/** The loop of a forEach or source_iterator node. */
export interface ChartLoop {
  readonly body: ChartTaskGraph
  /** Template of the list of items; absent for a source_iterator, whose response has the items. */
  readonly items?: string
  readonly concurrency?: number
  readonly continueOnError?: true
  /** With `continueOnError`, more failed children than this fail the node. */
  readonly maxFailures?: number
  /** Maximum duration of each child, in milliseconds. */
  readonly timeoutMs?: number
  /** Attempts of a failed child. */
  readonly retry?: Activity
}

/** The workflow of an adk node, which is a chart of its own. */
export interface ChartTaskWorkflow {
  /** Key in `charts` of the chart that contains the graph. */
  readonly chart: string
  /** Templates of the prompt and of the initial state. */
  readonly prompt: string | null
  readonly state: JsonObject
  /** Maximum duration after which the node fails, in milliseconds. */
  readonly timeoutMs?: number
  /** The `maxDuration` of the workflow, after which the node ends, in milliseconds. */
  readonly maxDurationMs?: number
}
