import type { JsonObject } from "../../../machines/data/json-object.js"
import type { WorkflowTree } from "../agent-node.js"
import type { IndexedTask } from "./indexed-tasks.js"

/** A resolved Graph Compose graph. The chart is generated from it. */
export interface TaskGraphTree {
  readonly id: string
  /**
   * The nodes of the graph that are not inside a loop. The nodes inside a loop are in the field
   * `body` of the node that starts the loop.
   */
  readonly level: TaskLevel
  readonly context: JsonObject
  readonly webhookUrl: string | null
  readonly timeoutMs: number | null
}

/** The nodes of a Graph Compose graph outside all loops, or the nodes directly inside one loop. */
export type TaskLevel = readonly TaskNode[]

/**
 * A resolved node of a Graph Compose graph. Its references are indexes of nodes in the same level.
 */
export interface TaskNode {
  readonly config: IndexedTask
  readonly dependencies: readonly number[]
  /** Indexes of the nodes whose failures an error boundary handles. Empty for other nodes. */
  readonly protects: readonly number[]
  readonly continueTo: readonly { readonly to: number; readonly when: string }[]
  /** The nodes in the loop that this node starts. Null if the node does not start a loop. */
  readonly body: TaskLevel | null
  /** The workflow of an adk node. Null for nodes of other types. */
  readonly workflow: WorkflowTree | null
}
