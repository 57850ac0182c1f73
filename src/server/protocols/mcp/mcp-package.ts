/** The optional package for MCP servers. */
export type McpPackage = typeof import("@modelcontextprotocol/server")

/** Loads the optional package. Rejects if it is not installed. */
export const loadMcpPackage = (): Promise<McpPackage> => import("@modelcontextprotocol/server")
