import type { JsonObject } from "../data/json-object.js"
import type { Activity, OnExpiry } from "./activity.js"
import type { McpConnection } from "./mcp-connection.js"
import type { HttpEndpoint } from "./services.js"

export type ToolDefinition =
  | { readonly type: "ExitLoopTool" }
  | {
      /** A tool that calls a host function. Exists only in the adk dialect. */
      readonly type: "FunctionTool"
      readonly service: string
      readonly outputKey: null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly requireConfirmation?: true
      /** Set if the function can return a ticket first, and its result is delivered later. */
      readonly longRunning?: true
      /**
       * Arguments from which the host function creates the tool. Absent if the host function itself
       * is the tool.
       */
      readonly factory?: JsonObject
    }
  | ToolsetDefinition
  | {
      readonly type: "HttpTool"
      readonly endpoint: HttpEndpoint
      readonly outputKey: string | null
      readonly activity: Activity
      /**
       * Time until a pending long-running call or a request for consent expires, in milliseconds.
       * If null, it never expires.
       */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      /** Set if a person must approve each call. Exists only in the adk dialect. */
      readonly requireConfirmation?: true
    }
  | {
      readonly type: "AgentTool"
      readonly targetAgent: string
      /** Key of the machine in the chart that runs the target agent. */
      readonly machine: string
      readonly skipSummarization: boolean
      readonly outputKey: string | null
      readonly activity: Activity
      /**
       * Time until a request to approve a call expires, in milliseconds. If absent, it never
       * expires.
       */
      readonly expiresInMs?: number
      readonly onExpiry?: OnExpiry
    }

/**
 * A toolset, which lists its tools at run time, once in each turn of an agent that uses it. Exists
 * only in the adk dialect.
 */
export interface ToolsetDefinition {
  readonly type: "Toolset"
  readonly service: string
  /**
   * Names of the tools that agents can use, without the prefix. If absent, agents can use all
   * tools.
   */
  readonly toolFilter?: readonly string[]
  /**
   * Prefix of the tool names that the model receives. For example, the prefix `github` changes
   * `search` to `github_search`.
   */
  readonly prefix?: string
  readonly requireConfirmation?: true
  /**
   * Time until a request to approve a call, or a pending long-running call, expires, in
   * milliseconds. If absent, it never expires.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /**
   * Connection settings of the MCP server that provides the tools. Absent if the tools come from
   * another source.
   */
  readonly mcp?: McpConnection
  /** Set if the web page that started the run provides the tools and executes their calls. */
  readonly pageTools?: true
}
