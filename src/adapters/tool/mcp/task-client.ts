import type { Client as McpClient } from "@modelcontextprotocol/client"
import { CallFailedError } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isTimeout } from "./connection/classify-failure.js"
import type { TaskRequests } from "./follow-task.js"
import { type McpTask, readResult, readTask } from "./mcp-task.js"
import { CLIENT_CAPABILITIES_META_KEY, specTypeSchemas } from "./connection/sdk.js"
import { tasksExtension } from "./tasks-extension.js"
import type { SendRequest } from "./connection/send-request.js"

/** MCP capabilities that the client declares in tool calls and in requests for their tasks. */
const capabilities = { elicitation: { form: {}, url: {} }, extensions: { [tasksExtension]: {} } }

/**
 * Returns the fields of a request's `_meta` object that declare the capabilities of the MCP client.
 * Returns no fields for servers with a protocol version before 2026-07-28.
 */
export const capabilitiesOf = (client: McpClient): JsonObject =>
  client.getProtocolEra() === "modern" ? { [CLIENT_CAPABILITIES_META_KEY]: capabilities } : {}

/**
 * Returns whether tool calls must explicitly request that the server creates a task. This is the
 * case for servers with the protocol version 2025-11-25 that support tasks.
 */
export const requestsTasks = (client: McpClient): boolean =>
  client.getProtocolEra() === "legacy" &&
  client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined

export interface TaskClientOptions {
  readonly ask: SendRequest
  /** Name of the MCP server for error messages. */
  readonly serverName: string
  /** Maximum time of a request, in milliseconds. */
  readonly timeoutMs: number
  /** Masks the secrets of the connection in a response. */
  mask<Value>(value: Value): Value
  /** Waits for a request and masks the secrets of the connection in its error. */
  withMaskedError<Response>(response: Promise<Response>): Promise<Response>
}

/** A client for the tasks on an MCP server. A task is a tool call in the background. */
export interface TaskClient {
  /**
   * Returns the functions that control the task of one tool call. `signal` aborts all of their
   * requests except cancellations.
   */
  requestsOf(signal: AbortSignal): TaskRequests
  /**
   * Resolves when the server has responded to all requests that cancel tasks, or these requests
   * have failed.
   */
  idle(): Promise<void>
}

/** Creates a client for the tasks on an MCP server. All of its requests can be repeated safely. */
export function taskClient({
  ask,
  serverName,
  timeoutMs,
  mask,
  withMaskedError,
}: TaskClientOptions): TaskClient {
  const cancelling = new Set<Promise<void>>()

  const send = (
    method: "tasks/get" | "tasks/result" | "tasks/update" | "tasks/cancel",
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> =>
    withMaskedError(
      ask({ what: `${method} was sent`, mayRepeat: true, signal }, ({ client }) =>
        client.request(
          { method, params: { ...params, _meta: capabilitiesOf(client) } },
          specTypeSchemas.Result,
          { signal, timeout: timeoutMs },
        ),
      ).catch((error: unknown) => {
        if (!isTimeout(error) || signal.aborted) throw error
        throw new CallFailedError(
          {
            code: "service_timeout",
            message: `the MCP server ${serverName} did not respond to ${method} within ${timeoutMs} ms`,
            retryable: true,
          },
          { cause: error },
        )
      }),
    )

  const cancel = async (taskId: string): Promise<void> => {
    // Errors are ignored, because the server deletes a task after its time to live even if it was
    // not cancelled.
    await send("tasks/cancel", { taskId }, AbortSignal.timeout(timeoutMs)).catch(() => {})
  }

  const get = async (taskId: string, signal: AbortSignal): Promise<McpTask> => {
    const task = readTask(mask(await send("tasks/get", { taskId }, signal)))
    const { status, isLegacy } = task
    if (!isLegacy || (status !== "completed" && status !== "failed")) return task
    // In the protocol version 2025-11-25, a separate request returns the result. The result of a
    // failed task is the result of a failed tool, or the request is rejected.
    const ended = mask(await send("tasks/result", { taskId }, signal))
    return { ...task, result: readResult(ended) }
  }

  return {
    requestsOf: (signal) => ({
      get: (taskId) => get(taskId, signal),
      async update(taskId, inputResponses) {
        await send("tasks/update", { taskId, inputResponses }, signal)
      },
      async cancel(taskId) {
        const sent = cancel(taskId)
        cancelling.add(sent)
        await sent
        cancelling.delete(sent)
      },
    }),
    async idle() {
      await Promise.all(cancelling)
    },
  }
}
