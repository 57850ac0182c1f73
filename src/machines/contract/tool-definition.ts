import type { JsonObject } from "../data/json-object.js"
import type { Activity, OnExpiry } from "./activity.js"
import type { McpConnection } from "./mcp-connection.js"
import type { HttpEndpoint } from "./services.js"

export type ToolDefinition =
  | { readonly type: "ExitLoopTool" }
  | {
      /** A host function as a tool (adk). */
      readonly type: "FunctionTool"
      readonly service: string
      readonly outputKey: null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly requireConfirmation?: true
      /** The function returns a ticket. Its result is delivered later. */
      readonly longRunning?: true
      /** Arguments for a service that creates several tools. */
      readonly factory?: JsonObject
    }
  | ToolsetDefinition
  | {
      readonly type: "HttpTool"
      readonly endpoint: HttpEndpoint
      readonly outputKey: string | null
      readonly activity: Activity
      /** How long a long-running call or a consent stays open, in milliseconds. */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      /** Only in the adk dialect: a person has to approve each call. */
      readonly requireConfirmation?: true
    }
  | {
      readonly type: "AgentTool"
      readonly targetAgent: string
      /** Key of the machine that runs the target. */
      readonly machine: string
      readonly skipSummarization: boolean
      readonly outputKey: string | null
      readonly activity: Activity
      /**
       * How long a request for approval of a call stays open, in milliseconds; absent: no limit.
       */
      readonly expiresInMs?: number
      readonly onExpiry?: OnExpiry
    }

/** Tools that are listed at run time, once in each turn of an agent with this toolset (adk). */
export interface ToolsetDefinition {
  readonly type: "Toolset"
  readonly service: string
  /** Names of the tools that agents can use, without the prefix; absent: all tools. */
  readonly toolFilter?: readonly string[]
  /** The model sees the tools as `prefix_name`. */
  readonly prefix?: string
  readonly requireConfirmation?: true
  /**
   * How long a confirmation of one of its tools, or a long-running call, stays open, in
   * milliseconds; absent: no limit.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** Connection to the MCP server that provides the tools. */
  readonly mcp?: McpConnection
}
