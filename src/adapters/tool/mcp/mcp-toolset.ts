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
  /** How long a call may take, in milliseconds; one minute unless given. */
  readonly timeoutMs?: number
  /** How long an attempt to connect may take, in milliseconds; one minute unless given: programs may be fetched first. The `timeout` of a config goes before it. */
  readonly connectTimeoutMs?: number
  /** How long the server may take to list its tools, in milliseconds; ten seconds unless given. The `timeout` of a config goes before it. */
  readonly listTimeoutMs?: number
  /** How long a question waits for a server that has gone away to come back, in milliseconds; half a minute unless given. */
  readonly waitMs?: number
}

export interface McpToolset extends Toolset {
  /** Ends the connection, and the program behind it where there is one. What is asked afterwards connects again. */
  close(): Promise<void>
}

const mayRepeat = ({
  annotations: { readOnlyHint, idempotentHint } = {},
  _meta: meta,
}: Tool): boolean =>
  readOnlyHint === true || idempotentHint === true || meta?.[idempotencyKey] === true

/**
 * The tools of an MCP server as a toolset. The server is reached when it is first asked for something. There is one connection for
 * all who ask, kept until `close`; one that is lost is made again by itself.
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
  const toConnect = connection.timeoutMs ?? connectTimeoutMs
  const toList = connection.timeoutMs ?? listTimeoutMs
  const link = mcpConnection({
    connect: (ended, signal) => connect(connection, { timeoutMs: toConnect, ended }, signal),
    clock: systemClock,
    waitMs,
    place,
  })
  const ask = requestSender(link, place)
  /** Tools of which the server says that calling them twice is the same as once. */
  let repeatable: ReadonlySet<string> = new Set()

  /** What the server was reached with stands in nothing that it says. */
  async function masked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      // A masked copy has the same shape.
      return mask.results.value(await answer) as Answer
    } catch (error) {
      throw maskedError(error, mask)
    }
  }

  return {
    async list({ signal }) {
      const question = { what: "its tools were listed", mayRepeat: true, signal }
      const listed = ask(question, ({ client }) =>
        client.listTools(undefined, { signal, timeout: toList, cacheMode: "refresh" }),
      ).catch((error: unknown) => {
        if (!isTimeout(error)) throw error
        throw new CallFailedError(
          {
            code: "tool_list_timeout",
            message: `the MCP server ${place} did not list its tools within ${toList} ms`,
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
      const question = { what: `"${name}" was called`, mayRepeat: repeatable.has(name), signal }
      const asked = { name, arguments: args, _meta: { [idempotencyKey]: key } }
      const called = ask(question, ({ client }) =>
        client.callTool(asked, { signal, timeout: timeoutMs }),
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
