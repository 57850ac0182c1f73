import { isJsonObject } from "../../../machines/data/json-object.js"
import type { A2aConnection } from "./a2a-connection.js"
import { hasRpcCode, rpcCode } from "./rpc-error.js"
import { readTask } from "./task-snapshot.js"

/** Maximum number of A2A tasks to search for a message, and of messages to search in each task. */
const searchedTasks = 50

/**
 * Searches a remote server for the A2A task that an earlier process may have started with the
 * message `messageId`. Returns the task id, or null if no task contains the message or if the
 * server cannot list tasks.
 */
export async function findSent(
  connection: A2aConnection,
  messageId: string,
  contextId: string | undefined,
): Promise<string | null> {
  const { version } = await connection.interface()
  if (version === "0.3") return null
  const params = {
    ...(contextId !== undefined && { contextId }),
    pageSize: searchedTasks,
    historyLength: searchedTasks,
  }
  try {
    const found = await connection.call("list", params, null)
    const tasks: readonly unknown[] =
      isJsonObject(found) && Array.isArray(found["tasks"]) ? found["tasks"] : []
    for (const task of tasks.map(readTask))
      if (task?.messageIds.has(messageId) === true) return task.task
    return null
  } catch (error) {
    if (hasRpcCode(error, rpcCode.methodNotFound, rpcCode.unsupportedOperation)) return null
    throw error
  }
}
