import type { JSONRPCMessage } from "@modelcontextprotocol/client"
import { isJsonObject } from "../../../../machines/data/json-object.js"

/**
 * Key of an MCP task in the `_meta` object of a tool result. If a tool call creates a task on the
 * server, the transport stores the task under this key.
 */
export const createdTask = "agent-statecharts/task"

/**
 * Moves an MCP task in a response to a tool call to the `_meta` object of a tool result. This is
 * necessary because the MCP package rejects results of types that it does not know. Other messages
 * are not changed.
 */
export function moveTask(message: JSONRPCMessage): void {
  if (!("result" in message)) return
  const { result } = message
  const task = result["resultType"] === "task" ? result : legacyTask(result["task"])
  if (task === null) return
  message.result = {
    resultType: "complete",
    content: [],
    // The package does not validate the output of a tool that has failed.
    isError: true,
    _meta: { [createdTask]: task },
  }
}

/**
 * Returns the task in a response of the MCP protocol version 2025-11-25. Returns null if the value
 * is not a task.
 */
const legacyTask = (task: unknown): unknown =>
  isJsonObject(task) && typeof task["taskId"] === "string" ? task : null
