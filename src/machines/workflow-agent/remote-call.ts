import type { RemoteEndpoint } from "../contract/agent-definition.js"
import type { GraphValues } from "../data/node-scope.js"
import type { JsonObject } from "../data/json-object.js"

/** The fields of a request that only calls of remote agents have. */
export interface RemoteRequest extends RemoteEndpoint {
  /** Id of the task. Absent until the server has assigned it. */
  readonly task?: string
  /** Id of the conversation with the agent. Absent in the first message of a session. */
  readonly contextId?: string
  /** The session state, for templates. It is computed only when it is first read. */
  readonly state: JsonObject
  /** The `context` of the workflow, for templates. */
  readonly context: JsonObject
  /** Values of the enclosing graph, for templates. Absent outside graphs. */
  readonly graph?: GraphValues
  /** Timeout of one HTTP request, in milliseconds. null: the default timeout. */
  readonly timeoutMs: number | null
}

/** Ids that the server of a remote agent has assigned. */
export interface RemoteIds {
  /** Id of the task; null if the agent responded without a task. */
  readonly task: string | null
  readonly contextId: string | null
}

/** The output of a remote agent. */
export interface RemoteOutput {
  /**
   * The structured data of the result: its only data part, or a list if it has several. null: none.
   */
  readonly data: unknown
  /** The artifacts as JSON, in order. */
  readonly artifacts: readonly JsonObject[]
}
