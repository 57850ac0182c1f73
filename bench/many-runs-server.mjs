import { join } from "node:path"
import { jsonlJournal } from "../dist/adapters/journal/jsonl/index.js"
import { startServer } from "../dist/server/start-server.js"

/**
 * A server whose model answers after a delay with a text of a given length. The prompt contains
 * both: `<words> <length> <milliseconds>`. Sends its address to the parent process. Answers the
 * message "buffers" with the largest number of bytes that wait for one reader, and with the memory
 * usage.
 */
const [folder] = process.argv.slice(2)
const model = {
  call: (request, { signal }) =>
    new Promise((resolve, reject) => {
      const first = request.messages.find(({ role }) => role === "user")
      const [length = "20", ms = "50"] = String(first?.content ?? "").split(" ")
      const timer = setTimeout(
        () => resolve({ content: "x".repeat(Number(length)) }),
        Number(ms) * (0.5 + Math.random()),
      )
      signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), {
        once: true,
      })
    }),
}
const server = await startServer({
  path: join(folder, "workflow.json"),
  journal: jsonlJournal(join(folder, "runs")),
  openServices: async () => ({ calls: { http: { model, tool: model } }, close: async () => {} }),
  token: "t",
  perSecond: 0,
})
process.send({ url: server.url })
process.on("disconnect", () => process.exit())
process.on("message", (message) => {
  if (message === "stop") void server.close().then(() => process.disconnect())
  if (message === "buffers") {
    const waiting = process._getActiveHandles().map((handle) => handle.writableLength ?? 0)
    process.send({ buffered: Math.max(0, ...waiting), memory: process.memoryUsage().rss })
  }
})
