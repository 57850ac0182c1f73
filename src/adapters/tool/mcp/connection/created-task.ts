import type { JSONRPCMessage } from "@modelcontextprotocol/client"
import { isJsonObject } from "../../../../machines/data/json-object.js"

/**
 * Key in a result's `_meta` object under which the transport stores the task that the server has
 * created.
 */
export const createdTask = "agent-statecharts/task"

/**
 * If a message is the response to a tool call that has created a task, moves the task to the
 * `_meta` object of the result. This is necessary because the MCP package rejects results of types
 * that it does not know.
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

/** Returns the task in a response of the protocol version 2025-11-25, or null if there is none. */
const legacyTask = (task: unknown): unknown =>
  isJsonObject(task) && typeof task["taskId"] === "string" ? task : null
