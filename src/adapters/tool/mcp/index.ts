/** Tools of MCP servers, as toolsets for agents. */
export { mcpToolset, type McpToolset, type McpToolsetOptions } from "./mcp-toolset.js"
export { mcpToolsets, type McpToolsets, type McpToolsetsOptions } from "./mcp-toolsets.js"
