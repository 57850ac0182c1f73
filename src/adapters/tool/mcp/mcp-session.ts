import type { Tool } from "@modelcontextprotocol/client"
import { CallFailedError } from "../../../machines/contract/services.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { HostContext } from "../../../runtime/host/host-function.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { authorizationIn } from "./connection/authorization.js"
import { isTimeout } from "./connection/classify-failure.js"
import { connect } from "./connection/connect.js"
import { connectionMask, maskedError, serverNameOf } from "./connection/connection-secrets.js"
import { createdTask } from "./connection/created-task.js"
import { type InputAnswers, inputRequiredIn, type McpResponse } from "./elicitation.js"
import type { TaskRequests } from "./follow-task.js"
import { idempotencyKey } from "./idempotency-key.js"
import { mcpConnection } from "./connection/mcp-connection.js"
import { readTask } from "./mcp-task.js"
import { loadResource, readResources, resourceTool } from "./resources.js"
import { requestSender } from "./connection/send-request.js"
import { capabilitiesOf, requestsTasks, taskClient } from "./task-client.js"

/** Time limits of the requests in a session with an MCP server, in milliseconds. */
export interface SessionLimits {
  /** Time limit of one tool call, including calls that read MCP resources. */
  readonly callTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly listTimeoutMs: number
  readonly waitMs: number
}

/** A session with an MCP server. All of its requests have the same authorization. */
export interface McpSession {
  /** Returns the tools of the MCP server. */
  list(signal: AbortSignal): Promise<readonly Tool[]>
  /**
   * Sends one tool call. Secrets in the response are masked. The `requestState` of the response is
   * not masked, because it must be sent back to the server unchanged.
   */
  call(
    context: HostContext,
    name: string,
    args: Record<string, unknown>,
    input: InputAnswers,
  ): Promise<McpResponse>
  /**
   * Returns functions that control the MCP tasks of a tool call. An MCP task is a tool call that
   * the server executes in the background. `signal` aborts all of their requests except
   * cancellations.
   */
  tasksOf(signal: AbortSignal): TaskRequests
  /** Closes the connection to the server. A later request opens the connection again. */
  close(): Promise<void>
}

const mayRepeat = ({
  annotations: { readOnlyHint, idempotentHint } = {},
  _meta: meta,
}: Tool): boolean =>
  readOnlyHint === true || idempotentHint === true || meta?.[idempotencyKey] === true

const supportsTasks = ({ execution }: Tool): boolean =>
  execution?.taskSupport === "optional" || execution?.taskSupport === "required"

const namesOf = (tools: readonly Tool[], isWanted: (tool: Tool) => boolean): ReadonlySet<string> =>
  new Set(tools.filter(isWanted).map(({ name }) => name))

/** Creates a session with an MCP server. The first request of the session opens the connection. */
export function mcpSession(
  connection: McpConnection,
  { callTimeoutMs, connectTimeoutMs, listTimeoutMs, waitMs }: SessionLimits,
): McpSession {
  const serverName = serverNameOf(connection)
  const mask = connectionMask(connection)
  const connectTimeout = connection.timeoutMs ?? connectTimeoutMs
  const listTimeout = connection.timeoutMs ?? listTimeoutMs
  const link = mcpConnection({
    connect: (ended, signal) => connect(connection, { timeoutMs: connectTimeout, ended }, signal),
    clock: systemClock,
    waitMs,
    serverName,
  })
  const ask = requestSender(link, serverName)
  /**
   * Names of the tools that the server declares as read-only or idempotent. Calls of these tools
   * can be repeated safely.
   */
  let repeatable: ReadonlySet<string> = new Set()
  /** Names of the tools that can be called as tasks. null before the tools are listed. */
  let taskTools: ReadonlySet<string> | null = null

  /** Masks the secrets of the connection in a result. */
  // The cast is safe. A masked copy has the same structure.
  const maskedResult = <Result>(result: Result): Result => mask.results.value(result) as Result

  /** Waits for a request and masks the secrets of the connection in its error. */
  async function withMaskedError<Response>(response: Promise<Response>): Promise<Response> {
    try {
      return await response
    } catch (error) {
      // An error that requires an authorization is thrown unchanged, because the caller reads the
      // error. It contains no secret.
      throw authorizationIn(error) === null ? maskedError(error, mask) : error
    }
  }

  /**
   * Handles an error of a request for the list of tools. If the error is a timeout, throws an error
   * with a clearer message. Throws any other error unchanged.
   */
  const refuseSlowList = (error: unknown): never => {
    if (!isTimeout(error)) throw error
    throw new CallFailedError(
      {
        code: "tool_list_timeout",
        message: `the MCP server ${serverName} did not list its tools within ${listTimeout} ms; check the server, or increase the timeout`,
        retryable: true,
      },
      { cause: error },
    )
  }

  async function call(
    { signal, idempotencyKey: key }: HostContext,
    name: string,
    args: Record<string, unknown>,
    input: InputAnswers,
  ): Promise<McpResponse> {
    const isRead = name === loadResource && connection.useResources === true
    const request = {
      what: `"${name}" was called`,
      mayRepeat: isRead || repeatable.has(name),
      signal,
    }
    const called = ask(request, async ({ client }): Promise<McpResponse> => {
      if (isRead)
        return { result: await readResources(client, args, { signal, timeout: callTimeoutMs }) }
      const meta = { [idempotencyKey]: key, ...capabilitiesOf(client) }
      if (taskTools === null && requestsTasks(client)) {
        const { tools } = await client
          .listTools(undefined, { signal, timeout: listTimeout })
          .catch(refuseSlowList)
        taskTools = namesOf(tools, supportsTasks)
      }
      const isTask = requestsTasks(client) && taskTools?.has(name) === true
      const called = { name, arguments: args, ...input, ...(isTask && { task: {} }) }
      const parameters = { ...called, _meta: meta }
      try {
        const result = await client.callTool(parameters, { signal, timeout: callTimeoutMs })
        const task = result._meta?.[createdTask]
        return task === undefined ? { result } : { task: readTask(task) }
      } catch (error) {
        const required = inputRequiredIn(error)
        if (required === null) throw error
        return required
      }
    }).catch((error: unknown) => {
      if (!isTimeout(error) || signal.aborted) throw error
      throw new CallFailedError(
        {
          code: "service_timeout",
          message: `the MCP server ${serverName} did not respond to the call of "${name}" within ${callTimeoutMs} ms`,
          retryable: true,
        },
        { cause: error },
      )
    })
    const response = await withMaskedError(called)
    return "inputRequests" in response
      ? { ...response, inputRequests: maskedResult(response.inputRequests) }
      : maskedResult(response)
  }

  const tasks = taskClient({
    ask,
    serverName,
    timeoutMs: listTimeout,
    mask: maskedResult,
    withMaskedError,
  })

  return {
    async list(signal) {
      const request = { what: "its tools were listed", mayRepeat: true, signal }
      const options = { signal, timeout: listTimeout }
      const listed = ask(request, async ({ client }) => {
        const { tools } = await client.listTools(undefined, { ...options, cacheMode: "refresh" })
        if (connection.useResources !== true) return tools
        const own = tools.filter(({ name }) => name !== loadResource)
        const tool = await resourceTool(client, options)
        return tool === null ? own : [...own, tool]
      }).catch(refuseSlowList)
      const tools = maskedResult(await withMaskedError(listed))
      repeatable = namesOf(tools, mayRepeat)
      taskTools = namesOf(tools, supportsTasks)
      return tools
    },
    call,
    tasksOf: tasks.requestsOf,
    async close() {
      await tasks.idle()
      await link.close()
    },
  }
}
