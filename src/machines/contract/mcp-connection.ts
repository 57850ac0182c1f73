/**
 * Connection to an MCP server: the URL of an HTTP server, or a program that is started and uses its
 * standard streams.
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
   * Timeout for connecting and listing tools, in milliseconds; absent: the timeout of the runner.
   */
  readonly timeoutMs?: number
}
