import type { CallToolResult } from "@modelcontextprotocol/client"

/**
 * What an MCP tool answered, as the result of a tool call: its structured content, else its texts as one, else its content as
 * it came. An answer that is marked as an error is thrown, so that callbacks see it as one.
 */
export function resultOf(
  name: string,
  { content, structuredContent, isError }: CallToolResult,
): unknown {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []))
  if (isError === true)
    throw new Error(
      texts.length > 0 ? texts.join("\n") : `the tool "${name}" failed without a message`,
    )
  if (structuredContent !== undefined) return structuredContent
  return texts.length === content.length ? texts.join("\n") : { content }
}
