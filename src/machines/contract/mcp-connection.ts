/**
 * The connection to an MCP server: the URL of an HTTP server, or the command of a program that
 * communicates over standard input and output.
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
   * Timeout for connecting and for listing tools, in milliseconds. Default: the timeout of the
   * runner.
   */
  readonly timeoutMs?: number
  /**
   * Whether agents can read the resources of the server with the tool `load_mcp_resource`. Default:
   * false.
   */
  readonly useResources?: boolean
}
