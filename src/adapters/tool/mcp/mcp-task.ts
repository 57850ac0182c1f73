import type { CallToolResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import { isJsonObject, type JsonObject } from "../../../machines/data/json-object.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { specTypeSchemas } from "./connection/sdk.js"

/** The state of an MCP task, which is a tool call that the server executes in the background. */
export interface McpTask {
  readonly taskId: string
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled"
  readonly statusMessage?: string
  /**
   * Time in milliseconds, counted from the task's creation, after which the server may delete the
   * task. null if the time is unlimited.
   */
  readonly ttlMs: number | null
  readonly pollIntervalMs?: number
  /** The server's open requests for input, by key. Set if the status is `input_required`. */
  readonly inputRequests?: JsonObject
  /**
   * The result of the tool call. Set if the status is `completed`. In the protocol version
   * 2025-11-25, also set if the status is `failed`.
   */
  readonly result?: CallToolResult
  /** The error message. Set if the status is `failed`. */
  readonly error?: string
  /** Whether the server uses the MCP protocol version 2025-11-25. */
  readonly isLegacy: boolean
  /** Time at which this state was received, in milliseconds since the epoch. */
  readonly receivedAt: number
}

const statuses = ["working", "input_required", "completed", "failed", "cancelled"] as const

/**
 * Parses the state of an MCP task in a server's response.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the state is invalid
 */
export function readTask(value: unknown): McpTask {
  const fields = isJsonObject(value) ? value : {}
  const { taskId, statusMessage, inputRequests } = fields
  const status = statuses.find((known) => known === fields["status"])
  if (typeof taskId !== "string" || taskId === "" || status === undefined)
    throw new AgentStatechartsError(
      "tool_call_failed",
      `the server sent a task without a valid taskId and status: ${JSON.stringify(value).slice(0, 200)}`,
    )
  // Servers of the protocol version 2025-11-25 use the names `ttl` and `pollInterval`, without a
  // unit. They always send `ttl`.
  const isLegacy = "ttl" in fields
  const ttlMs = fields["ttlMs"] ?? fields["ttl"]
  const pollIntervalMs = fields["pollIntervalMs"] ?? fields["pollInterval"]
  return {
    taskId,
    status,
    isLegacy,
    ttlMs: typeof ttlMs === "number" ? ttlMs : null,
    receivedAt: systemClock.now(),
    ...(typeof statusMessage === "string" && { statusMessage }),
    ...(typeof pollIntervalMs === "number" && { pollIntervalMs }),
    ...(isJsonObject(inputRequests) && { inputRequests }),
    ...(fields["result"] !== undefined && { result: readResult(fields["result"]) }),
    ...(isJsonObject(fields["error"]) && { error: String(fields["error"]["message"]) }),
  }
}

/**
 * Validates the result of a tool call that an MCP task contains, and returns the result.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the result is invalid
 */
export function readResult(value: unknown): CallToolResult {
  const read = specTypeSchemas.CallToolResult["~standard"].validate(value)
  if (read.issues === undefined) return read.value
  throw new AgentStatechartsError(
    "tool_call_failed",
    `the result of the task is not the result of a tool call: ${read.issues.map(({ message }) => message).join("; ")}`,
  )
}
