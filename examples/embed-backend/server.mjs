// A back end that runs workflows and streams their events to a page by server-sent events.
import { mkdtempSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serve } from "@hono/node-server"
import { AgentStatechartsError, compile } from "agent-statecharts"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import { createRunner } from "agent-statecharts/runtime"
import { Hono } from "hono"
import { streamSSE } from "hono/streaming"

const read = (name) => readFile(new URL(name, import.meta.url), "utf8")
const { chart } = compile(await read("../human-approval/workflow.json"))
// Replaces the agents and tools of the workflow. Without it, their URLs are called.
const service = await startScriptedService(
  JSON.parse(await read("../human-approval/scenario.json")),
)
const http = createHttpServices({ dispatcher: service.dispatcher() })

const journal = jsonlJournal(process.env.RUNS ?? mkdtempSync(join(tmpdir(), "embed-backend-")))
const runner = createRunner({ http, journal })

// Runs that were interrupted when the previous process was killed.
const { failed } = await runner.resumeInterrupted()
for (const { runId, error } of failed) console.error(`Run ${runId} cannot be resumed:`, error)

const app = new Hono()
const statuses = {
  run_unknown: 404,
  request_unknown: 409,
  request_expired: 409,
  run_finished: 409,
  run_owned: 409,
  journal_failed: 503,
}
app.onError((error, context) => {
  const isOurs = error instanceof AgentStatechartsError
  return context.json(
    {
      error: isOurs ? error.code : "internal",
      message: isOurs ? error.message : "Something broke.",
    },
    isOurs ? (statuses[error.code] ?? 400) : 500,
  )
})

app.get("/", async (context) => context.html(await read("page.html")))

app.post("/runs", (context) => {
  const { runId } = runner.start(chart)
  return context.json({ runId }, 201)
})

// A browser that reconnects sends the number of the last event that it has received.
app.get("/runs/:id/events", async (context) => {
  const run = await runner.resume(context.req.param("id"))
  const seen = Number(context.req.header("last-event-id") ?? -1)
  return streamSSE(context, async (stream) => {
    await new Promise((resolve) => {
      const write = ({ seq, ...event }) =>
        seq > seen &&
        stream.writeSSE({ id: String(seq), event: "run", data: JSON.stringify(event) })
      const events = run.events$.subscribe({
        next: write,
        complete: () => stream.writeSSE({ event: "end", data: "" }).then(resolve),
      })
      stream.onAbort(() => {
        events.unsubscribe()
        resolve()
      })
    })
  })
})

app.post("/runs/:id/answers", async (context) => {
  const run = await runner.resume(context.req.param("id"))
  const { approve, reject, args, reason } = await context.req.json()
  // The promise resolves when the journal has stored the answer.
  if (approve !== undefined) await run.give({ type: "approve", id: approve, ...(args && { args }) })
  else await run.give({ type: "reject", id: reject, ...(reason && { reason }) })
  return context.json({ status: run.status })
})

const server = serve(
  { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 0) },
  ({ port }) => console.log(`Open http://127.0.0.1:${port}/`),
)

// Open runs are suspended. The next process resumes them.
async function stop() {
  await runner.close()
  await http.close()
  await service.close()
  server.close()
  server.closeAllConnections()
}
process.once("SIGTERM", stop)
process.once("SIGINT", stop)
