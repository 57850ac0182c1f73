import { Hono } from "hono"
import type { McpParts } from "./mcp-server.js"
import { mcpServers } from "./mcp-server.js"

/**
 * Creates the routes of MCP over streamable HTTP. There are no MCP sessions, because runs are
 * stored in the journal.
 */
export function mcpRoutes(parts: Omit<McpParts, "cancelOnDisconnect">, maxBodyBytes: number): Hono {
  // In the 2025 version of the protocol, a lost connection does not mean that the client cancels
  // the call.
  const servers = mcpServers({ ...parts, cancelOnDisconnect: (era) => era === "modern" })
  const handler = parts.sdk.createMcpHandler(servers, { maxRequestBodySize: maxBodyBytes })
  return new Hono().all("/", (context) => handler.fetch(context.req.raw))
}
