/** Toolsets with which agents use the tools of MCP servers. */
export { mcpToolset, type McpToolset, type McpToolsetOptions } from "./mcp-toolset.js"
export { mcpToolsets, type McpToolsets, type McpToolsetsOptions } from "./mcp-toolsets.js"
