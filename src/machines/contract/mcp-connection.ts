/** An MCP server: over HTTP, or a program that is started and spoken to over its standard streams. */
export type McpConnection = (
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
    }
) & {
  /** How long it may take to be connected to, and to list its tools, in milliseconds; absent: as long as the runner says. */
  readonly timeoutMs?: number
}
