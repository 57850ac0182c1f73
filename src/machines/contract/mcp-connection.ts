/**
 * The settings of a connection to an MCP server. An HTTP server has a URL. A local server is a
 * program that communicates over standard input and output, and has a command.
 */
export type McpConnection = (
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
    }
) & {
  /**
   * Timeout for connecting and for listing tools, in milliseconds. If absent, the timeout of the
   * runner is used.
   */
  readonly timeoutMs?: number
  /**
   * Whether agents can read the resources of the server with the tool `load_mcp_resource`. The
   * default is false.
   */
  readonly useResources?: boolean
}
