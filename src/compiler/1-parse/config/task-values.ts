import type { Activity } from "../../../machines/contract/activity.js"
import type { HttpEndpoint } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { LocatedId } from "./named.js"

/**
 * Maps each value type that only occurs in Graph Compose graphs to the TypeScript type of its
 * parsed values.
 */
export interface ParsedTaskValues {
  readonly nodeList: readonly unknown[]
  readonly nodeId: string
  readonly dependencies: readonly LocatedId[]
  /** The `workflowExecutionTimeout` is in milliseconds. Null means no limit. */
  readonly workflowConfig: { readonly workflowExecutionTimeout: number | null }
  readonly nodeActivity: NodeActivity
  readonly nodeRequest: HttpEndpoint
  readonly destinationRequest: HttpEndpoint
  readonly outputMapping: JsonObject
  readonly nodeValidation: {
    readonly input: JsonObject | null
    readonly output: JsonObject | null
  }
  readonly nodeConditions: {
    readonly continueTo: readonly ContinueEntry[] | null
    readonly terminateWhen: readonly string[] | null
    readonly pollUntil: readonly string[] | null
  }
  readonly continueTo: readonly ContinueEntry[]
  /**
   * A condition in a Graph Compose graph, such as `{{ data.count > 0 }}`. The text consists of
   * exactly one `{{ }}` placeholder with a JSONata expression.
   */
  readonly graphCondition: string
  readonly graphConditions: readonly string[]
  readonly graphExpression: string
  readonly loopItems: { readonly items: string | null }
  readonly loopConfig: LoopConfig
  readonly childWorkflowConfig: ChildWorkflowConfig
}

/**
 * The timeouts and retries of a graph node. `setsRetries` is true if the config contains a
 * `retryPolicy`. `setsAttempts` is true if this policy contains `maximumAttempts`.
 */
export interface NodeActivity {
  readonly activity: Activity
  readonly setsRetries: boolean
  readonly setsAttempts: boolean
}

/**
 * An entry of a node's `continueTo`: the id of a dependent node, and the condition under which the
 * dependent node runs.
 */
export interface ContinueEntry {
  readonly to: LocatedId
  readonly when: string
}

/**
 * The parsed settings of a forEach loop in a Graph Compose graph. Settings that are not in the
 * config are null.
 */
export interface LoopConfig {
  readonly concurrency: number | null
  readonly continueOnError: boolean
  readonly maxFailures: number | null
  readonly childWorkflowConfig: ChildWorkflowConfig | null
}

/**
 * The timeout (in milliseconds) and the retries of each iteration of a forEach loop. Graph Compose
 * runs each iteration as a child workflow. Settings that are not in the config are null.
 */
export interface ChildWorkflowConfig {
  readonly workflowExecutionTimeout: number | null
  readonly retry: Omit<Activity, "startToCloseMs" | "scheduleToCloseMs"> | null
}
