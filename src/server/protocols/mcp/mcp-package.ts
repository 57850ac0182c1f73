/** The package of the protocol's servers, which stands beside this one where it is used, and only there. */
export type McpPackage = typeof import("@modelcontextprotocol/server")

export const loadMcpPackage = (): Promise<McpPackage> => import("@modelcontextprotocol/server")
