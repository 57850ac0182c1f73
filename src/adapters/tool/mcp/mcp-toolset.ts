import type { Tool } from "@modelcontextprotocol/client"
import { CallFailedError } from "../../../machines/contract/services.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { Toolset } from "../../../runtime/host/host-service.js"
import { systemClock } from "../../../runtime/host/system-clock.js"
import { requestSender } from "./send-request.js"
import { connect } from "./connect.js"
import { connectionMask, maskedError, placeOf } from "./connection-secrets.js"
import { idempotencyKey } from "./idempotency-key.js"
import { mcpConnection } from "./mcp-connection.js"
import { resultOf } from "./tool-result.js"
import { isTimeout } from "./classify-failure.js"

export interface McpToolsetOptions {
  /** Maximum time of a tool call, in milliseconds. Default: 60,000 (one minute). */
  readonly timeoutMs?: number
  /**
   * Maximum time of a connection attempt, in milliseconds. A `timeout` in the config takes
   * precedence. Default: 60,000 (one minute), because `npx`, for example, may have to download a
   * program first.
   */
  readonly connectTimeoutMs?: number
  /**
   * Maximum time of a request for the list of tools, in milliseconds. A `timeout` in the config
   * takes precedence. Default: 10,000.
   */
  readonly listTimeoutMs?: number
  /** Maximum time in milliseconds that a request waits for a reconnection. Default: 30,000. */
  readonly waitMs?: number
}

export interface McpToolset extends Toolset {
  /**
   * Closes the connection and stops the server process if one was started. A later request connects
   * again.
   */
  close(): Promise<void>
}

const mayRepeat = ({
  annotations: { readOnlyHint, idempotentHint } = {},
  _meta: meta,
}: Tool): boolean =>
  readOnlyHint === true || idempotentHint === true || meta?.[idempotencyKey] === true

/**
 * Creates a toolset with the tools of an MCP server. The first request opens the connection. All
 * runs share the connection, which reconnects automatically until `close` is called.
 *
 * @example
 * const files = mcpToolset({ command: "npx", args: ["-y", "some-mcp-server", "."] })
 * const runner = createRunner({ services: { files } })
 */
export function mcpToolset(
  connection: McpConnection,
  {
    timeoutMs = 60_000,
    connectTimeoutMs = 60_000,
    listTimeoutMs = 10_000,
    waitMs = 30_000,
  }: McpToolsetOptions = {},
): McpToolset {
  const place = placeOf(connection)
  const mask = connectionMask(connection)
  const connectTimeout = connection.timeoutMs ?? connectTimeoutMs
  const listTimeout = connection.timeoutMs ?? listTimeoutMs
  const link = mcpConnection({
    connect: (ended, signal) => connect(connection, { timeoutMs: connectTimeout, ended }, signal),
    clock: systemClock,
    waitMs,
    place,
  })
  const ask = requestSender(link, place)
  /**
   * Names of the tools that the server declares as read-only or idempotent. Their calls can be
   * repeated safely.
   */
  let repeatable: ReadonlySet<string> = new Set()

  /** Waits for a request and masks the secrets of the connection in its result or error. */
  async function masked<Response>(response: Promise<Response>): Promise<Response> {
    try {
      // The cast is safe: a masked copy has the same structure.
      return mask.results.value(await response) as Response
    } catch (error) {
      throw maskedError(error, mask)
    }
  }

  return {
    async list({ signal }) {
      const request = { what: "its tools were listed", mayRepeat: true, signal }
      const listed = ask(request, ({ client }) =>
        client.listTools(undefined, { signal, timeout: listTimeout, cacheMode: "refresh" }),
      ).catch((error: unknown) => {
        if (!isTimeout(error)) throw error
        throw new CallFailedError(
          {
            code: "tool_list_timeout",
            message: `the MCP server ${place} did not list its tools within ${listTimeout} ms`,
            retryable: true,
          },
          { cause: error },
        )
      })
      const { tools } = await masked(listed)
      repeatable = new Set(tools.filter(mayRepeat).map(({ name }) => name))
      return tools.map(({ name, description, inputSchema }) => ({
        name,
        parameters: inputSchema,
        ...(description !== undefined && { description }),
      }))
    },
    async call({ signal, idempotencyKey: key }, name, args) {
      const request = { what: `"${name}" was called`, mayRepeat: repeatable.has(name), signal }
      const parameters = { name, arguments: args, _meta: { [idempotencyKey]: key } }
      const called = ask(request, ({ client }) =>
        client.callTool(parameters, { signal, timeout: timeoutMs }),
      ).catch((error: unknown) => {
        if (!isTimeout(error) || signal.aborted) throw error
        throw new CallFailedError(
          {
            code: "service_timeout",
            message: `the MCP server ${place} did not respond in time: "${name}" was called ${timeoutMs} ms ago`,
            retryable: true,
          },
          { cause: error },
        )
      })
      return resultOf(name, await masked(called))
    },
    close: () => link.close(),
  }
}
