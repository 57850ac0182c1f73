import type { RemoteEndpoint } from "../contract/agent-definition.js"
import type { GraphValues } from "../data/node-scope.js"
import type { JsonObject } from "../data/json-object.js"

/** The fields of a request that exist only for calls of remote agents. */
export interface RemoteRequest extends RemoteEndpoint {
  /** Id of the task on the other server. Absent until the server has assigned an id. */
  readonly task?: string
  /** Id of the conversation with the remote agent. Absent in the first message of a session. */
  readonly contextId?: string
  /**
   * The session state, which templates of the URL and headers can read. It is computed when it is
   * first read.
   */
  readonly state: JsonObject
  /** The `context` of the workflow, which templates of the URL and headers can read. */
  readonly context: JsonObject
  /**
   * Values of the enclosing graph, which templates of the URL and headers can read. Absent outside
   * graphs.
   */
  readonly graph?: GraphValues
  /** Timeout of one HTTP request, in milliseconds. If null, the default timeout is used. */
  readonly timeoutMs: number | null
}

/** Ids of a task and a conversation that the server of a remote agent has assigned. */
export interface RemoteIds {
  /** Id of the task. null if the agent responded without a task. */
  readonly task: string | null
  readonly contextId: string | null
}

/** The structured data and the artifacts that a remote agent returned. */
export interface RemoteOutput {
  /**
   * The content of the only data part in the result, or a list if there are several. null if there
   * is none.
   */
  readonly data: unknown
  /** The artifacts of the task as JSON, in order. */
  readonly artifacts: readonly JsonObject[]
}
