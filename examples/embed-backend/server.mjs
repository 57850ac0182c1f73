// A backend that runs workflows and streams their events to a page by server-sent events.
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
// Stands in for the agents and tools of the workflow; without it their URLs are called.
const service = await startScriptedService(
  JSON.parse(await read("../human-approval/scenario.json")),
)
const http = createHttpServices({ dispatcher: service.dispatcher() })

const journal = jsonlJournal(process.env.RUNS ?? mkdtempSync(join(tmpdir(), "embed-backend-")))
const runner = createRunner({ http, journal })
const open = new Map()

/** Keeps a run at hand as long as it is open; several requests may ask for it at once. */
async function hold(runId, opening) {
  open.set(runId, opening)
  const forget = () => open.delete(runId)
  await opening.then(({ result }) => void result.then(forget), forget)
  return opening
}

/** A run of this process, or one of the journal that an earlier process has left. */
const find = (runId) => open.get(runId) ?? hold(runId, runner.resume(runId))

const app = new Hono()
const refused = { run_unknown: 404, request_unknown: 409, run_finished: 409 }
app.onError((error, context) => {
  const isOurs = error instanceof AgentStatechartsError
  return context.json(
    {
      error: isOurs ? error.code : "internal",
      message: isOurs ? error.message : "Something broke.",
    },
    isOurs ? (refused[error.code] ?? 400) : 500,
  )
})

app.get("/", async (context) => context.html(await read("page.html")))

app.post("/runs", (context) => {
  const run = runner.start(chart)
  void hold(run.runId, Promise.resolve(run))
  return context.json({ runId: run.runId }, 201)
})

/** The past first, then what happens. A browser that connects again says what it has seen, and is told the rest. */
app.get("/runs/:id/events", async (context) => {
  const run = await find(context.req.param("id"))
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
  const run = await find(context.req.param("id"))
  const { approve, reject, args, reason } = await context.req.json()
  if (approve !== undefined) run.approve(approve, args === undefined ? {} : { args })
  else run.reject(reject, reason)
  return context.json({ status: run.snapshot().status })
})

const server = serve(
  { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 0) },
  ({ port }) => console.log(`Open http://127.0.0.1:${port}/`),
)

/** Runs that are open are suspended: the next process finds them in the journal. */
async function stop() {
  await runner.close()
  await http.close()
  await service.close()
  server.close()
  server.closeAllConnections()
}
process.once("SIGTERM", stop)
process.once("SIGINT", stop)
