import { Hono } from "hono"
import type { McpParts } from "./mcp-server.js"
import { mcpServers } from "./mcp-server.js"

/** Serves MCP over streamable HTTP. There are no MCP sessions; runs are stored in the journal. */
export function mcpRoutes(parts: Omit<McpParts, "cancelOnDisconnect">, maxBodyBytes: number): Hono {
  // In the protocol of 2025, a lost connection does not mean that the client cancels the call.
  const servers = mcpServers({ ...parts, cancelOnDisconnect: (era) => era === "modern" })
  const handler = parts.sdk.createMcpHandler(servers, { maxRequestBodySize: maxBodyBytes })
  return new Hono().all("/", (context) => handler.fetch(context.req.raw))
}
