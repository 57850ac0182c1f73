import type { Tool } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { HostContext } from "../../../runtime/host/host-function.js"
import type { OfferedTool, Toolset } from "../../../runtime/host/host-service.js"
import type { Secrets } from "../../http/secrets/secrets.js"
import { askForSecret, grantedSecret } from "./connection/authorization.js"
import { authorizedSessions } from "./authorized-sessions.js"
import { serverNameOf } from "./connection/connection-secrets.js"
import { callWithForms } from "./elicitation.js"
import type { TaskRequests } from "./follow-task.js"
import { mcpSession } from "./mcp-session.js"

export interface McpToolsetOptions {
  /** Maximum time of a tool call, in milliseconds. Default: 60,000 (one minute). */
  readonly timeoutMs?: number
  /**
   * Maximum time of a connection attempt, in milliseconds. A `timeout` in the connection config
   * takes precedence. Default: 60,000 (one minute), because `npx`, for example, may have to
   * download a program first.
   */
  readonly connectTimeoutMs?: number
  /**
   * Maximum time of a request for the list of tools, in milliseconds. A `timeout` in the connection
   * config takes precedence. Default: 10,000.
   */
  readonly listTimeoutMs?: number
  /**
   * Maximum time in milliseconds that a request waits for the reconnection of a lost connection.
   * Default: 30,000.
   */
  readonly waitMs?: number
  /**
   * Time in milliseconds after which a form of the server (MCP elicitation) expires. The server
   * then receives `cancel`. Default: forms never expire.
   */
  readonly formExpiresInMs?: number
  /**
   * Source of the access tokens that people grant for the server. If an HTTP server responds with
   * the status 401, the run opens a request of kind `auth`. A person answers this request with the
   * name of the secret that contains the token. Default: a server that responds with 401 cannot be
   * used.
   */
  readonly secrets?: Secrets
}

export interface McpToolset extends Toolset {
  /**
   * Closes the connection to the MCP server. If the toolset has started the server as a process,
   * stops the process. A later request connects again.
   */
  close(): Promise<void>
}

/**
 * Creates a toolset with the tools of an MCP server. The first request opens the connection. All
 * runs share the connection. A lost connection is opened again automatically until `close` is
 * called.
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
    formExpiresInMs,
    secrets,
  }: McpToolsetOptions = {},
): McpToolset {
  const limits = { callTimeoutMs: timeoutMs, connectTimeoutMs, listTimeoutMs, waitMs }
  const server = serverNameOf(connection)
  const sessions = authorizedSessions(connection, (to) => mcpSession(to, limits), secrets)

  const grantedTo = (context: HostContext): string | null =>
    secrets === undefined ? null : grantedSecret(context, server)

  return {
    async list(context) {
      const { signal, isReplaying, step } = context
      const listed = (secret: string | null) =>
        sessions.use(secret, async (session) => ({ tools: await session.list(signal) }))
      let secret = grantedTo(context)
      // Only responses that require an authorization are recorded, because most need none.
      const first = isReplaying ? null : await listed(secret)
      if (first !== null && "tools" in first) return first.tools.map(offeredTool)
      for (let n = 1; n <= maxConsents; n++) {
        const tried = secret
        const required = await step(`authorization ${n}`, async () => {
          const response = await listed(tried)
          return "auth" in response ? response : null
        })
        if (required === null) break
        secret = await askForSecret(context, server, required)
      }
      const last = await listed(secret)
      if ("tools" in last) return last.tools.map(offeredTool)
      throw refused(server)
    },
    call(context, name, args) {
      const expires = formExpiresInMs === undefined ? {} : { expiresIn: formExpiresInMs }
      const { signal } = context
      const tasksOf = (secret: string | null): TaskRequests => ({
        get: async (taskId) => {
          const task = await sessions.use(secret, (session) => session.tasksOf(signal).get(taskId))
          if ("auth" in task) throw refused(server)
          return task
        },
        update: async (taskId, responses) => {
          const sent = await sessions.use(secret, async (session) => {
            await session.tasksOf(signal).update(taskId, responses)
            return {}
          })
          if ("auth" in sent) throw refused(server)
        },
        cancel: async (taskId) => {
          await sessions.use(secret, async (session) => {
            await session.tasksOf(signal).cancel(taskId)
            return {}
          })
        },
      })
      return callWithForms(
        context,
        { name, server, ...expires },
        {
          send: (input, secret) =>
            sessions.use(secret, (session) => session.call(context, name, args, input)),
          secret: grantedTo(context),
          tasksOf,
        },
      )
    },
    close: () => sessions.close(),
  }
}

/**
 * Maximum number of times that a person is asked for an authorization during one request for the
 * list of tools.
 */
const maxConsents = 10

const offeredTool = ({ name, description, inputSchema }: Tool): OfferedTool => ({
  name,
  parameters: inputSchema,
  ...(description !== undefined && { description }),
})

const refused = (server: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "tool_call_failed",
    `the MCP server ${server} does not accept the granted secret (status 401); its token may have expired`,
  )
