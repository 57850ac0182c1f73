import type { CallToolResult } from "@modelcontextprotocol/client"
import { AgentStatechartsError } from "../../../errors.js"

/**
 * Converts the result of an MCP tool call to the result that the agent receives. If the result has
 * structured content, returns this content. If the content consists only of texts, returns the
 * texts joined by line breaks. Otherwise, returns the content unchanged.
 *
 * @throws AgentStatechartsError `tool_call_failed` if the server has marked the result as an error
 */
export function resultOf(
  name: string,
  { content, structuredContent, isError }: CallToolResult,
): unknown {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []))
  if (isError === true)
    throw new AgentStatechartsError(
      "tool_call_failed",
      texts.length > 0 ? texts.join("\n") : `the tool "${name}" failed without a message`,
    )
  if (structuredContent !== undefined) return structuredContent
  return texts.length === content.length ? texts.join("\n") : { content }
}
