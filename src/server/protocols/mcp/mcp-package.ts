/** The optional npm package for MCP servers. */
export type McpPackage = typeof import("@modelcontextprotocol/server")

/** Loads the optional npm package. Rejects if it is not installed. */
export const loadMcpPackage = (): Promise<McpPackage> => import("@modelcontextprotocol/server")
