// An MCP server that tests kill: `node mortal-server.mjs LOG stdio`, `... http PORT` (without sessions), `... sessions PORT`.
// It writes to LOG when it starts and when a tool is called. The tools `order` and `read` hang in the first process only. With
// `mute`, the server never lists its tools. With `once`, it cannot be started again.
import { appendFileSync, existsSync } from "node:fs"
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const [log, way, port, mood] = process.argv.slice(2)
const isFirstLife = !existsSync(log)
appendFileSync(log, `started ${process.pid}\n`)
if (mood === "once" && !isFirstLife) process.exit(1)

function mortal() {
  const server = new McpServer({ name: "mortal", version: "1" })
  const answer = () => ({ content: [{ type: "text", text: `by ${process.pid}` }] })
  const hang = (_args, context) => {
    appendFileSync(
      log,
      `called ${process.pid} ${context.mcpReq._meta?.["agent-statecharts/idempotency-key"]}\n`,
    )
    return isFirstLife ? new Promise(() => {}) : answer()
  }
  const nothing = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  }
  server.registerTool("quick", {}, answer)
  server.registerTool("order", { inputSchema: nothing }, hang)
  server.registerTool("read", { inputSchema: nothing, annotations: { readOnlyHint: true } }, hang)
  if (mood === "mute") server.server.setRequestHandler("tools/list", () => new Promise(() => {}))
  return server
}

const sessions = new Map()

/** Handles a request like servers of the 2025 protocol: one transport for each session, and 404 for an unknown session. */
async function inSession(request) {
  const id = request.headers.get("mcp-session-id")
  const known = sessions.get(id)
  if (known !== undefined) return known.handleRequest(request)
  if (id !== null) return new Response("no such session", { status: 404 })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (given) => sessions.set(given, transport),
    onsessionclosed: () => appendFileSync(log, "session ended\n"),
  })
  await mortal().connect(transport)
  return transport.handleRequest(request)
}

if (way === "stdio") serveStdio(mortal)
else {
  const handler = createMcpHandler(mortal)
  const answer = way === "sessions" ? inSession : (request) => handler.fetch(request)
  createServer(getRequestListener(answer)).listen(Number(port), "127.0.0.1", () =>
    appendFileSync(log, "ready\n"),
  )
}
