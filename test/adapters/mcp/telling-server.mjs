import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const secret = process.env.API_KEY ?? ""
console.error(`started with ${JSON.stringify(process.env)}`)
if (process.argv.includes("--dies")) process.exit(1)
serveStdio(() => {
  const server = new McpServer({ name: "telling", version: "1" })
  const told = `${secret} ${encodeURIComponent(secret)} ${Buffer.from(secret).toString("base64")}`
  server.registerTool("tell", { description: `Knows ${secret}` }, () => ({
    content: [{ type: "text", text: told }],
  }))
  server.registerTool("fail", {}, () => ({
    isError: true,
    content: [{ type: "text", text: `failed with ${told}` }],
  }))
  return server
})
