import type { JsonObject } from "../../../machines/data/json-object.js"
import type { WorkflowTree } from "../agent-node.js"
import type { IndexedTask } from "./indexed-tasks.js"

/** A resolved Graph Compose graph: the input of the analysis and of the emitter. */
export interface TaskGraphTree {
  readonly id: string
  /** The nodes outside loops. The nodes of a loop are in the `body` of its first node. */
  readonly level: TaskLevel
  readonly context: JsonObject
  readonly webhookUrl: string | null
  readonly timeoutMs: number | null
}

/** The nodes of the graph that run in one workflow: outside all loops, or in one body. */
export type TaskLevel = readonly TaskNode[]

/** A node whose references are indexes of nodes of the same level. */
export interface TaskNode {
  readonly config: IndexedTask
  readonly dependencies: readonly number[]
  /** The nodes that a boundary protects; empty for other nodes. */
  readonly protects: readonly number[]
  readonly continueTo: readonly { readonly to: number; readonly when: string }[]
  /** The body of a loop; null for other nodes. */
  readonly body: TaskLevel | null
  /** The agents of an adk node; null for other nodes. */
  readonly workflow: WorkflowTree | null
}
