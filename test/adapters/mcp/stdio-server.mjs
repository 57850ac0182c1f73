import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

console.error("the weather server has started")
serveStdio(() => {
  const server = new McpServer({ name: "weather", version: "1" })
  server.registerTool(
    "forecast",
    { description: "Tells the weather.", inputSchema: z.object({ city: z.string() }) },
    ({ city }) => ({
      content: [{ type: "text", text: `${process.env.SKY ?? "Sunny"} in ${city}.` }],
    }),
  )
  server.registerTool("process", {}, () => ({
    content: [{ type: "text", text: String(process.pid) }],
  }))
  // Requests that only clients with these capabilities can answer.
  server.registerTool("elicit", {}, async () => {
    const { action } = await server.server.elicitInput({
      message: "Which city?",
      requestedSchema: { type: "object", properties: { city: { type: "string" } } },
    })
    return { content: [{ type: "text", text: action }] }
  })
  server.registerTool("sample", {}, async () => {
    const { content } = await server.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "Write a poem." } }],
      maxTokens: 10,
    })
    return { content: [content] }
  })
  server.registerTool("stop", {}, () => process.exit(0))
  return server
})
