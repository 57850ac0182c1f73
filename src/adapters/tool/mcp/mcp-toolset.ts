import { SdkHttpError } from "@modelcontextprotocol/client"
import type { Client } from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../machines/agent-chart.js"
import type { Toolset } from "../../../runtime/host/host-service.js"
import { connect } from "./connect.js"
import { connectionMask, maskedError } from "./connection-secrets.js"
import { resultOf } from "./tool-result.js"

export interface McpToolsetOptions {
  /** How long one request may take, in milliseconds; one minute unless given. */
  readonly timeoutMs?: number
}

export interface McpToolset extends Toolset {
  /** Ends the connection, and the program behind it where there is one. What is asked afterwards connects again. */
  close(): Promise<void>
}

/**
 * The tools of an MCP server as a toolset. The server is reached when it is first asked for something and the connection is
 * kept until `close`; one that breaks is made anew.
 *
 * @example
 * const files = mcpToolset({ command: "npx", args: ["-y", "some-mcp-server", "."] })
 * const runner = createRunner({ services: { files } })
 */
export function mcpToolset(connection: McpConnection, { timeoutMs = 60_000 }: McpToolsetOptions = {}): McpToolset {
  const mask = connectionMask(connection)
  let open: Promise<Client> | null = null

  const forget = (gone: Promise<Client>): void => {
    if (open === gone) open = null
  }

  function client(): Promise<Client> {
    if (open !== null) return open
    const opened: Promise<Client> = connect(connection, timeoutMs, () => forget(opened))
    open = opened
    // Who waits for it is told; the next one tries again.
    opened.catch(() => forget(opened))
    return opened
  }

  /** A server that has forgotten the session, as after a restart of its own, is asked once more in a new one. */
  async function ask<Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> {
    const asked = client()
    const current = await asked
    try {
      return await question(current)
    } catch (error) {
      if (!(error instanceof SdkHttpError) || error.status !== 404) throw error
      forget(asked)
      await current.close()
      return question(await client())
    }
  }

  /** What the server was reached with stands in nothing that it says. */
  async function askMasked<Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> {
    try {
      // A masked copy has the same shape.
      return mask.results.value(await ask(question)) as Answer
    } catch (error) {
      throw maskedError(error, mask)
    }
  }

  return {
    async list({ signal }) {
      const { tools } = await askMasked((server) => server.listTools(undefined, { signal, timeout: timeoutMs, cacheMode: "refresh" }))
      return tools.map(({ name, description, inputSchema }) => ({ name, parameters: inputSchema, ...(description !== undefined && { description }) }))
    },
    async call({ signal }, name, args) {
      return resultOf(name, await askMasked((server) => server.callTool({ name, arguments: args }, { signal, timeout: timeoutMs })))
    },
    async close() {
      const closing = open
      open = null
      const connected = closing === null ? null : await closing.catch(() => null)
      await connected?.close()
    },
  }
}
