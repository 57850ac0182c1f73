/** Type of the optional npm package for MCP servers. */
export type McpPackage = typeof import("@modelcontextprotocol/server")

/** Loads the optional npm package for MCP servers. Rejects if the package is not installed. */
export const loadMcpPackage = (): Promise<McpPackage> => import("@modelcontextprotocol/server")
