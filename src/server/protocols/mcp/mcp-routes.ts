import { Hono } from "hono"
import type { McpParts } from "./mcp-server.js"
import { mcpServers } from "./mcp-server.js"

/** MCP over streamable HTTP. The server keeps no sessions: what has to last is in the journal. */
export function mcpRoutes(parts: Omit<McpParts, "leavingCancels">, maxBodyBytes: number): Hono {
  // Who speaks the protocol of 2025 may lose the connection and want the run all the same.
  const servers = mcpServers({ ...parts, leavingCancels: (era) => era === "modern" })
  const handler = parts.sdk.createMcpHandler(servers, { maxRequestBodySize: maxBodyBytes })
  return new Hono().all("/", (context) => handler.fetch(context.req.raw))
}
