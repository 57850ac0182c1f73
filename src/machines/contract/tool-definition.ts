import type { JsonObject } from "../data/json-object.js"
import type { Activity, OnExpiry } from "./activity.js"
import type { McpConnection } from "./mcp-connection.js"
import type { HttpEndpoint } from "./services.js"

export type ToolDefinition =
  | { readonly type: "ExitLoopTool" }
  | {
      /** A tool that calls a host function (adk). */
      readonly type: "FunctionTool"
      readonly service: string
      readonly outputKey: null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly requireConfirmation?: true
      /** Set if the function returns a ticket at first and its result is delivered later. */
      readonly longRunning?: true
      /**
       * Arguments from which the host function creates the tool. Absent if the host function is the
       * tool itself.
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
       * Time until a long-running call or a consent expires, in milliseconds; null: it never
       * expires.
       */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      /** Set if a person must approve each call (adk). */
      readonly requireConfirmation?: true
    }
  | {
      readonly type: "AgentTool"
      readonly targetAgent: string
      /** Key of the machine that runs the target agent. */
      readonly machine: string
      readonly skipSummarization: boolean
      readonly outputKey: string | null
      readonly activity: Activity
      /**
       * Time until a request for approval of a call expires, in milliseconds; absent: it never
       * expires.
       */
      readonly expiresInMs?: number
      readonly onExpiry?: OnExpiry
    }

/**
 * A toolset whose tools are listed at run time, once in each turn of an agent that uses the toolset
 * (adk).
 */
export interface ToolsetDefinition {
  readonly type: "Toolset"
  readonly service: string
  /**
   * Names of the tools that agents can use, without the prefix; absent: agents can use all tools.
   */
  readonly toolFilter?: readonly string[]
  /** Prefix of the names under which the model receives the tools, in the form `prefix_name`. */
  readonly prefix?: string
  readonly requireConfirmation?: true
  /**
   * Time until a confirmation or a long-running call of one of the tools expires, in milliseconds;
   * absent: it never expires.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** Connection to the MCP server that provides the tools. */
  readonly mcp?: McpConnection
  /** Set if the web page that starts the run provides the tools and executes their calls. */
  readonly pageTools?: true
}
