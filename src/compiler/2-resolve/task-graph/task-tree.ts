import type { JsonObject } from "../../../machines/data/json-object.js"
import type { WorkflowTree } from "../agent-node.js"
import type { IndexedTask } from "./indexed-tasks.js"

/** A resolved Graph Compose graph. It is the input of the emitter. */
export interface TaskGraphTree {
  readonly id: string
  /**
   * The nodes outside loops. The nodes of a loop are in the field `body` of the loop's first node.
   */
  readonly level: TaskLevel
  readonly context: JsonObject
  readonly webhookUrl: string | null
  readonly timeoutMs: number | null
}

/** The nodes of the graph outside all loops, or the nodes directly inside the body of one loop. */
export type TaskLevel = readonly TaskNode[]

/** A resolved node of a graph. Its references are indexes of nodes in the same level. */
export interface TaskNode {
  readonly config: IndexedTask
  readonly dependencies: readonly number[]
  /** Indexes of the nodes that an error boundary protects. Empty for other nodes. */
  readonly protects: readonly number[]
  readonly continueTo: readonly { readonly to: number; readonly when: string }[]
  /** The body of the loop that the node starts. null: the node does not start a loop. */
  readonly body: TaskLevel | null
  /** The workflow of an adk node. null: the node has another type. */
  readonly workflow: WorkflowTree | null
}
