// Bundles the page with Vite and serves it, with a stand-in for the model: a script that knows two poems.
import { createServer } from "node:http"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"

const folder = await mkdtemp(join(tmpdir(), "embed-browser-"))
await build({
  root: fileURLToPath(new URL(".", import.meta.url)),
  configFile: false,
  logLevel: "warn",
  build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 700 },
})

const answers = {
  poet: [
    "Boxes and arrows",
    "One box lights, then the next:\nthe arrow knows why it went.\nRain on the window.",
  ],
  critic: ["This is no haiku.", "good"],
}
const asked = { poet: 0, critic: 0 }
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" }

const server = createServer(async (request, response) => {
  if (request.url === "/v1/chat/completions") {
    const { model } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const content = answers[model]?.[asked[model]++ % 2] ?? "I know no such role."
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }))
    return
  }
  const file =
    request.url === "/" ? "/index.html" : new URL(request.url, "http://localhost").pathname
  const content = await readFile(join(folder, file)).catch(() => null)
  // Neither `eval` nor code from elsewhere is needed: the strictest policy will do.
  const headers = {
    "content-type": types[extname(file)] ?? "text/plain",
    "content-security-policy":
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:",
  }
  response.writeHead(content === null ? 404 : 200, headers).end(content ?? "not found")
})
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () =>
  console.log(`Open http://127.0.0.1:${server.address().port}/`),
)

async function stop() {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
}
process.once("SIGTERM", stop)
process.once("SIGINT", stop)
