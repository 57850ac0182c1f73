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
  server.registerTool("stop", {}, () => process.exit(0))
  return server
})
