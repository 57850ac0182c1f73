import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

/** A real MCP server with a few tools. */
export function weatherServer(): McpServer {
  const server = new McpServer({ name: "weather", version: "1" })
  const city = z.object({ city: z.string() })
  server.registerTool(
    "forecast",
    { description: "Tells the weather.", inputSchema: city },
    ({ city: where }) => ({
      content: [
        { type: "text", text: where === "Atlantis" ? "no such city" : `Sunny in ${where}.` },
      ],
      isError: where === "Atlantis",
    }),
  )
  server.registerTool(
    "measure",
    { inputSchema: city, outputSchema: z.object({ degrees: z.number() }) },
    ({ city: where }) => ({
      content: [{ type: "text", text: "see structuredContent" }],
      structuredContent: { degrees: where.length },
    }),
  )
  server.registerTool("map", { inputSchema: city }, () => ({
    content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
  }))
  return server
}
