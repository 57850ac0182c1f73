import { Hono } from "hono"
import type { McpParts } from "./mcp-server.js"
import { mcpServers } from "./mcp-server.js"

/**
 * Creates the routes of the MCP protocol over streamable HTTP. MCP sessions are not needed, because
 * the journal stores the runs.
 */
export function mcpRoutes(parts: Omit<McpParts, "cancelOnDisconnect">, maxBodyBytes: number): Hono {
  // In the 2025 version of the protocol, a lost connection does not mean that the client cancels
  // the call.
  const servers = mcpServers({ ...parts, cancelOnDisconnect: (era) => era === "modern" })
  const handler = parts.sdk.createMcpHandler(servers, { maxRequestBodySize: maxBodyBytes })
  return new Hono().all("/", (context) => handler.fetch(context.req.raw))
}
